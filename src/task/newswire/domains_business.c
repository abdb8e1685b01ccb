/* Events of working life: a company's results, a strike, a product launch. */
#include "task/newswire/grammar.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct newswire_slot earnings_slots[] = {
    {"firm", NEWSWIRE_GROUP, 0, 0, "the company:Freight|Foods|Instruments|Textiles|Ceramics|Paper"},
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"chief", NEWSWIRE_PERSON, 0, 0, "chief executive"},
    {"analyst", NEWSWIRE_PERSON, 0, 0, "market analyst"},
    {"profit", NEWSWIRE_MONEY, 180, 3900, ""},
    {"change", NEWSWIRE_PERCENT, 41, 387, ""},
    {"sales", NEWSWIRE_MONEY, 4100, 19800, ""},
    {"shares", NEWSWIRE_PERCENT, 21, 148, ""},
    {"sites", NEWSWIRE_COUNT, 2, 9, ""},
    {"staff", NEWSWIRE_COUNT, 210, 2600, ""},
    {"payout", NEWSWIRE_COUNT, 11, 96, ""},
    {"debt", NEWSWIRE_MONEY, 310, 4400, ""},
    {"orders", NEWSWIRE_PERCENT, 32, 214, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"course", NEWSWIRE_CHOICE, 0, 0, "rose|fell"},
    {"reason", NEWSWIRE_CHOICE, 0, 0,
     "a weak currency|cheaper fuel|a late harvest|the loss of a large customer|strong demand from "
     "hospitals|shipping delays"},
    {"outlook", NEWSWIRE_CHOICE, 0, 0,
     "raised its forecast for the year|cut its forecast for the year|left its forecast unchanged|"
     "withdrew its forecast altogether"},
    {"plan", NEWSWIRE_CHOICE, 0, 0,
     "sell its packaging arm|move its head office|buy a smaller rival|spin off its warehouses"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "We took decisions two years ago that are paying off now|It was a quarter of two halves|The "
     "order book tells a better story than the headlines"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "The numbers are decent but the tone was not|Investors wanted a map and were given a weather "
     "report|One good quarter does not make a turnaround"},
};

static const struct newswire_fact earnings_facts[] = {
    {NEWSWIRE_LEAD,
     "quarterly profit at {firm} {course} by {change} to {profit}, the [{city}-based group|group "
     "from {city}] [reported|said] on {day}",
     "{firm} said quarterly profit {course} {change} to {profit}",
     "on {day}, {firm} reported that its profit for the quarter {course} by {change} and came to "
     "{profit}"},
    {NEWSWIRE_CORE,
     "sales [came in at|amounted to|reached] {sales}, [a figure close to forecasts|which was in "
     "line with estimates]",
     "sales reached {sales}", "at {sales}, sales were about where forecasters had expected them"},
    {NEWSWIRE_CORE, "the group put the change down [mainly|largely] to {reason}",
     "the main reason given was {reason}",
     "management explained the development chiefly with {reason}"},
    {NEWSWIRE_CORE,
     "the group {outlook}, [citing an uncertain second half|and warned that visibility was poor]",
     "the group {outlook}",
     "looking ahead, the group {outlook} amid uncertainty about the second half"},
    {NEWSWIRE_EXTRA,
     "{sites} sites will be [closed|shut] and {staff} jobs [lost|cut] under a plan [set out|"
     "announced] the same day",
     "{sites} sites close and {staff} jobs go",
     "a plan presented alongside the figures foresees closing {sites} sites and shedding {staff} "
     "jobs"},
    {NEWSWIRE_EXTRA,
     "the board [intends|wants] to {plan}, [subject to approval by regulators|provided that "
     "shareholders agree]",
     "the board wants to {plan}, if approved",
     "subject to approval, directors also intend to {plan}"},
    {NEWSWIRE_EXTRA,
     "shares [moved by|swung by] {shares} in [early|morning] trading before [settling|steadying]",
     "the shares moved by {shares}",
     "on the market, the shares swung by {shares} before they settled"},
    {NEWSWIRE_EXTRA,
     "net debt [stands at|has reached] {debt}, and lenders have [agreed to extend|extended] the "
     "terms",
     "net debt is {debt}",
     "the balance sheet shows net debt of {debt}, on terms that lenders have extended"},
    {NEWSWIRE_MINOR,
     "shareholders will [be paid|receive] {payout} cents a share, [the same as last year|payable "
     "next month]",
     "the dividend is {payout} cents a share",
     "a dividend of {payout} cents is to be paid on every share"},
    {NEWSWIRE_MINOR,
     "new orders [grew|were up] by {orders}, [led by export customers|most of them "
     "from abroad]",
     "new orders grew by {orders}", "the order book improved, with new orders up by {orders}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {chief} [told analysts|said on a call with investors]",
     "{chief} said: \"{q1}\"", "in a call with investors, {chief} commented: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" said {analyst} [in a note|in a letter to clients]",
     "{analyst} said: \"{q2}\"", "from outside the firm, {analyst} observed: \"{q2}\""},
};

static const char *const earnings_colour[] = {
    "the [call|presentation] began late, with [music|a recorded greeting] playing for ten minutes",
    ("the group [began|started] as a family workshop and still keeps its first [press|loom|scales] "
     "in the lobby"),
    "traders described a [quiet|nervous] morning in which few wanted to be first to move",
    "competitors report [next week|later this month] and may shift the picture again",
    "staff followed the announcement on a screen in the canteen",
};

const struct newswire_domain newswire_earnings = {"earnings",
                                                  earnings_slots,
                                                  COUNT_OF(earnings_slots),
                                                  earnings_facts,
                                                  COUNT_OF(earnings_facts),
                                                  earnings_colour,
                                                  COUNT_OF(earnings_colour),
                                                  0,
                                                  3};

static const struct newswire_slot strike_slots[] = {
    {"union", NEWSWIRE_CHOICE, 0, 0,
     "the Depot Workers' Union|the Allied Loaders' Union|the Federation of Drivers|the Packers' "
     "Guild"},
    {"firm", NEWSWIRE_GROUP, 0, 0, "the company:Couriers|Logistics|Bakeries|Laundries"},
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"steward", NEWSWIRE_PERSON, 0, 0, "union organiser"},
    {"manager", NEWSWIRE_PERSON, 0, 0, "operations director"},
    {"owner", NEWSWIRE_PERSON, 0, 0, "shop owner"},
    {"workers", NEWSWIRE_COUNT, 320, 7400, ""},
    {"demand", NEWSWIRE_PERCENT, 61, 128, ""},
    {"offer", NEWSWIRE_PERCENT, 18, 47, ""},
    {"vote", NEWSWIRE_PERCENT, 702, 961, ""},
    {"depots", NEWSWIRE_COUNT, 3, 24, ""},
    {"parcels", NEWSWIRE_COUNT, 12000, 260000, ""},
    {"cost", NEWSWIRE_MONEY, 6, 94, ""},
    {"talks", NEWSWIRE_COUNT, 3, 14, ""},
    {"hours", NEWSWIRE_COUNT, 24, 96, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"dispute", NEWSWIRE_CHOICE, 0, 0,
     "night shifts|unpaid breaks|tracking devices|the use of agency staff|safety on the loading "
     "ramps"},
    {"rule", NEWSWIRE_CHOICE, 0, 0,
     "medicines will still be delivered|schools will be served as usual|refrigerated goods are "
     "exempt|hospitals are not affected"},
    {"next", NEWSWIRE_CHOICE, 0, 0,
     "a mediator|the labour court|the regional government|a retired judge"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "People are tired and they are not asking for the moon|We have been patient for longer than "
     "we should have|Respect starts with the rota"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "Our door has never been closed|There is no more money in the tin|The offer on the table is "
     "a fair one"},
    {"q3", NEWSWIRE_CHOICE, 0, 0,
     "I have boxes to the ceiling and no van|My customers will go elsewhere and not come back|I "
     "understand them, but I have bills as well"},
};

static const struct newswire_fact strike_facts[] = {
    {NEWSWIRE_LEAD,
     "{workers} workers at {firm} in {city} [walked out|went on strike|stopped work] on {day} in a "
     "dispute over {dispute}",
     "{workers} workers at {firm} in {city} went on strike over {dispute}",
     "a strike over {dispute} began on {day} at {firm} in {city}, involving {workers} workers"},
    {NEWSWIRE_CORE,
     "{union} [wants|is asking for] a pay rise of {demand}, while management has offered {offer}",
     "{union} wants {demand} more pay and was offered {offer}",
     "on pay the sides are far apart: {union} seeks {demand}, management proposes {offer}"},
    {NEWSWIRE_CORE,
     "the stoppage [is due to|will] last {hours} hours and [affects|covers] {depots} depots",
     "the stoppage lasts {hours} hours at {depots} depots",
     "work will stop for {hours} hours in all, at a total of {depots} depots"},
    {NEWSWIRE_CORE,
     "under an emergency rule {rule}, [both sides confirmed|according to a joint notice]",
     "under an emergency rule, {rule}", "one exception was agreed by both sides, so that {rule}"},
    {NEWSWIRE_EXTRA, "{vote} of members [backed|voted for] the action in a [secret|postal] ballot",
     "{vote} of members backed the strike",
     "in the ballot beforehand, {vote} of union members voted in favour"},
    {NEWSWIRE_EXTRA,
     "some {parcels} deliveries a day [could be|may be] delayed, {manager} [said|estimated]",
     "{parcels} daily deliveries could be delayed",
     "by the estimate of {manager}, up to {parcels} deliveries could be late each day"},
    {NEWSWIRE_EXTRA,
     "both sides have agreed to [return to talks|meet again] before {next} [next week|within days]",
     "talks before {next} are planned",
     "the parties are to resume negotiations with the help of {next}"},
    {NEWSWIRE_EXTRA, "{firm} puts the [cost|damage] at {cost} [a week|for every week of action]",
     "the strike costs {cost} a week",
     "for each week of action, management expects losses of {cost}"},
    {NEWSWIRE_MINOR, "{talks} rounds of talks since the spring had [failed|ended without result]",
     "{talks} rounds of talks had failed",
     "before it came to this, {talks} rounds of talks had produced nothing"},
    {NEWSWIRE_MINOR,
     "{manager} said temporary staff would [not be used|be kept away from the picket line]",
     "{manager} ruled out temporary staff at the pickets",
     "temporary staff will be kept away from the pickets, {manager} promised"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {steward} [said at the gates|told the crowd]",
     "{steward} said: \"{q1}\"", "at the gates, {steward} explained: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {manager} [said in a statement|responded]",
     "{manager} said: \"{q2}\"", "in response, {manager} maintained: \"{q2}\""},
    {NEWSWIRE_QUOTE,
     "\"{q3},\" [complained|said] {owner}, [who sells spare parts|whose shop is "
     "across the road]",
     "{owner} said: \"{q3}\"", "among those affected, {owner} lamented: \"{q3}\""},
};

static const char *const strike_colour[] = {
    "pickets warmed their hands over a [barrel|brazier] and [cheered|waved at] passing lorries",
    "somebody had brought a [trombone|drum], somebody else a pot of lentil soup",
    "the yard, usually [noisy|crowded] at that hour, lay silent behind its gates",
    "a few [vans|trucks] stood where their drivers had left them at the end of the last shift",
    "children from the nearby estate [watched from the wall|handed out biscuits]",
};

const struct newswire_domain newswire_strike = {"strike",
                                                strike_slots,
                                                COUNT_OF(strike_slots),
                                                strike_facts,
                                                COUNT_OF(strike_facts),
                                                strike_colour,
                                                COUNT_OF(strike_colour),
                                                2,
                                                1};

static const struct newswire_slot launch_slots[] = {
    {"firm", NEWSWIRE_GROUP, 0, 0, "the start-up:Robotics|Optics|Batteries|Devices|Motors"},
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"founder", NEWSWIRE_PERSON, 0, 0, "founder"},
    {"tester", NEWSWIRE_PERSON, 0, 0, "independent tester"},
    {"product", NEWSWIRE_CHOICE, 0, 0,
     "a cargo bicycle that charges in sunlight|a hearing aid the size of a lentil|a crop robot "
     "that weeds at night|a heat pump for small flats|a reading lamp that filters noise"},
    {"price", NEWSWIRE_DOLLARS, 190, 4800, ""},
    {"run", NEWSWIRE_PERCENT, 120, 480, ""},
    {"ordered", NEWSWIRE_COUNT, 2400, 86000, ""},
    {"capital", NEWSWIRE_MONEY, 40, 920, ""},
    {"weeks", NEWSWIRE_COUNT, 4, 30, ""},
    {"patents", NEWSWIRE_COUNT, 3, 41, ""},
    {"people", NEWSWIRE_COUNT, 22, 380, ""},
    {"returned", NEWSWIRE_PERCENT, 11, 93, ""},
    {"hours", NEWSWIRE_COUNT, 6, 72, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"season", NEWSWIRE_CHOICE, 0, 0, "spring|early summer|autumn|the end of the year"},
    {"limit", NEWSWIRE_CHOICE, 0, 0,
     "it has not been tested in frost|the safety certificate is still missing|it works only with "
     "the maker's own charger|spare parts will not be sold separately"},
    {"place", NEWSWIRE_CHOICE, 0, 0,
     "a former sugar mill|a disused barracks|an old tram shed|a converted dairy"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "We built the thing we could not buy|It should feel like nothing special, and that is the "
     "point|Every part can be opened with one screwdriver"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "It is clever, but clever is not the same as finished|I tried to break it and nearly "
     "succeeded|For the price I would expect a better manual"},
};

static const struct newswire_fact launch_facts[] = {
    {NEWSWIRE_LEAD,
     "{firm} [presented|unveiled|introduced] {product} in {city} on {day}, to be sold for {price}",
     "{firm} unveiled {product} at {price}",
     "in {city}, {firm} showed {product} on {day} and set its price at {price}"},
    {NEWSWIRE_CORE,
     "deliveries are [planned|expected] for {season}, [about|no sooner than] {weeks} weeks after "
     "the first announcement",
     "deliveries are expected for {season}",
     "customers can count on deliveries in {season}, the maker says"},
    {NEWSWIRE_CORE, "one [reservation|drawback] remains: {limit}", "a drawback is that {limit}",
     "buyers should be aware that {limit}"},
    {NEWSWIRE_CORE, "{ordered} people have [placed|paid for] an advance order, {founder} said",
     "{ordered} advance orders were placed",
     "according to {founder}, {ordered} customers have already ordered in advance"},
    {NEWSWIRE_EXTRA,
     "the device [runs for|lasts] {hours} hours on one charge, {run} longer than the model before "
     "it",
     "it runs {hours} hours on a charge, {run} longer than before",
     "a single charge is enough for {hours} hours, which beats the earlier model by {run}"},
    {NEWSWIRE_EXTRA,
     "investors have put {capital} into the venture, [half of it public money|most of it this "
     "year]",
     "investors have provided {capital}",
     "the venture has been financed with {capital} from investors"},
    {NEWSWIRE_EXTRA,
     "{firm} will build it in {place} on the edge of {city}, [where it employs|with a staff of] "
     "{people} people",
     "production by {people} people takes place in {place}",
     "manufacturing is located in {place}, where {people} people work for the maker"},
    {NEWSWIRE_EXTRA,
     "of an earlier version {returned} were [sent back|returned], mostly because of [loose|faulty] "
     "seals",
     "{returned} of an earlier version were returned",
     "the previous version had not been without trouble, since {returned} came back with faults"},
    {NEWSWIRE_MINOR,
     "the design is protected by {patents} patents, [two of them disputed|the "
     "oldest from a student project]",
     "{patents} patents protect the design",
     "the firm says that {patents} patents cover the design"},
    {NEWSWIRE_MINOR,
     "the presentation, held in {place}, [drew|attracted] visitors from [neighbouring towns|three "
     "countries]",
     "the presentation was held in {place}",
     "guests had been invited to {place} for the presentation"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {founder} [said on stage|told visitors]",
     "{founder} said: \"{q1}\"", "on stage, {founder} summed up: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" said {tester}, [who had a week with it|who tried an early model]",
     "{tester} said: \"{q2}\"", "after a trial, {tester} judged: \"{q2}\""},
};

static const char *const launch_colour[] = {
    "the curtain stuck halfway, which [got|earned] the warmest laugh of the afternoon",
    "guests were [served|offered] pear cake and asked to keep their fingers off the samples",
    "on a bench by the wall lay [eleven|nine] prototypes, each a little less clumsy than the last",
    "the room smelled of [varnish|solder] and fresh coffee",
    "rival makers had sent people too, [some of them badly disguised|most of them taking notes]",
};

const struct newswire_domain newswire_launch = {"launch",
                                                launch_slots,
                                                COUNT_OF(launch_slots),
                                                launch_facts,
                                                COUNT_OF(launch_facts),
                                                launch_colour,
                                                COUNT_OF(launch_colour),
                                                1,
                                                2};
