/* Events of public life: an election, a city budget, a court ruling. */
#include "task/newswire/grammar.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct newswire_slot election_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"winner", NEWSWIRE_PERSON, 0, 0, "challenger"},
    {"loser", NEWSWIRE_PERSON, 0, 0, "incumbent mayor"},
    {"monitor", NEWSWIRE_PERSON, 0, 0, "chief returning officer"},
    {"party", NEWSWIRE_CHOICE, 0, 0,
     "the Commons List|the Harbour Alliance|the Open Ledger Party|the Civic Bloc|the Orchard "
     "Movement"},
    {"share", NEWSWIRE_PERCENT, 505, 579, ""},
    {"rival", NEWSWIRE_PERCENT, 331, 418, ""},
    {"turnout", NEWSWIRE_PERCENT, 382, 718, ""},
    {"margin", NEWSWIRE_COUNT, 1200, 48000, ""},
    {"wards", NEWSWIRE_COUNT, 24, 96, ""},
    {"hours", NEWSWIRE_COUNT, 2, 9, ""},
    {"years", NEWSWIRE_COUNT, 5, 16, ""},
    {"stations", NEWSWIRE_COUNT, 140, 620, ""},
    {"spend", NEWSWIRE_MONEY, 4, 38, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"pledge", NEWSWIRE_CHOICE, 0, 0,
     "freeze bus fares|cap rents in the old quarter|reopen the closed libraries|build a second "
     "river crossing|double the number of street wardens"},
    {"issue", NEWSWIRE_CHOICE, 0, 0,
     "housing costs|street flooding|unreliable buses|crowded schools|the closed market hall"},
    {"fault", NEWSWIRE_CHOICE, 0, 0,
     "a power cut|misprinted ballot papers|a shortage of counting staff|a jammed scanner"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "This city asked for a different answer and tonight it has one|We knocked on every door and "
     "people told us the same thing|The work begins before breakfast tomorrow"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "The voters have spoken and I accept what they said|I leave the office in better order than "
     "I found it|We will look hard at where we lost touch"},
};

static const struct newswire_fact election_facts[] = {
    {NEWSWIRE_LEAD,
     "{winner} [won|has won|claimed victory in] the race for mayor of {city} on {day}, taking "
     "{share} of the vote",
     "{winner} won the {city} mayoral race with {share} of the vote",
     "in {city}, {winner} was elected mayor on {day} after securing {share} of all votes cast"},
    {NEWSWIRE_CORE,
     "{loser}, who had [held the post|led the city|been in office] for {years} years, finished "
     "second with {rival}",
     "{loser} came second with {rival}",
     "{loser}, in charge for {years} years, was beaten into second place with {rival}"},
    {NEWSWIRE_CORE,
     "the result [hands|gives] control of the council to {party} [for the first time|for the first "
     "time in a generation]",
     "{party} takes control of the council",
     "the outcome means that control of the council passes to {party}"},
    {NEWSWIRE_CORE,
     "the [figures|totals] remain provisional until {monitor} signs off the count in all {wards} "
     "wards",
     "the result is provisional until all {wards} wards are certified",
     "however, the numbers stay provisional while {monitor} certifies the count in {wards} wards"},
    {NEWSWIRE_EXTRA,
     "{winner} has [promised|pledged] to {pledge} within [the first year|the first twelve months]",
     "{winner} has promised to {pledge}",
     "the new mayor's main promise is to {pledge} within a year"},
    {NEWSWIRE_EXTRA,
     "turnout [reached|came to|was put at] {turnout}, [well above|well short of] what [pollsters|"
     "party workers] had [predicted|expected]",
     "turnout was {turnout}",
     "electoral staff put turnout at {turnout}, a surprise to those who had forecast it"},
    {NEWSWIRE_EXTRA,
     "{winner} led by {margin} votes [once postal ballots were added|after the last boxes were "
     "opened]",
     "the final margin was {margin} votes",
     "when every ballot had been added, the gap between the two stood at {margin} votes"},
    {NEWSWIRE_EXTRA,
     "the campaign was [dominated by|fought over] {issue}, [which both camps put at the top of "
     "their leaflets|according to interviews at polling stations]",
     "{issue} dominated the campaign",
     "throughout the campaign, {issue} mattered more to voters than anything else"},
    {NEWSWIRE_MINOR,
     "counting was held up for {hours} hours by {fault} [at the sports hall|at the main count]",
     "{fault} delayed the count by {hours} hours",
     "the count itself ran {hours} hours late because of {fault}"},
    {NEWSWIRE_MINOR,
     "ballots were cast at {stations} polling stations, [some of them in shops and chapels|a few "
     "of "
     "them open for the first time]",
     "voting took place at {stations} stations",
     "voters used {stations} polling stations spread across the city"},
    {NEWSWIRE_MINOR,
     "the two leading campaigns [together spent|spent between them] {spend}, filings show",
     "the leading campaigns spent {spend}",
     "filings put the combined spending of the two main campaigns at {spend}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {winner} [told supporters|said from the steps of the town hall]",
     "{winner} said: \"{q1}\"", "addressing supporters, {winner} declared: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {loser} said [in a short speech|as the hall emptied]",
     "{loser} said: \"{q2}\"", "conceding, {loser} remarked: \"{q2}\""},
};

static const char *const election_colour[] = {
    ("[volunteers|helpers] stacked trestle tables long after midnight while a brass band packed up "
     "in the square"),
    "a [hand-painted|faded] banner still hung from the [town hall|library] railings in the morning",
    "outside, [market traders|shopkeepers] opened their shutters as on any other morning",
    "the mood in the hall [swung|moved] between weariness and cheer as the boxes came in",
    "for many in the crowd it was the first time they had stayed up for a count",
};

const struct newswire_domain newswire_election = {"election",
                                                  election_slots,
                                                  COUNT_OF(election_slots),
                                                  election_facts,
                                                  COUNT_OF(election_facts),
                                                  election_colour,
                                                  COUNT_OF(election_colour),
                                                  1,
                                                  1};

static const struct newswire_slot budget_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"leader", NEWSWIRE_PERSON, 0, 0, "council leader"},
    {"critic", NEWSWIRE_PERSON, 0, 0, "opposition councillor"},
    {"auditor", NEWSWIRE_PERSON, 0, 0, "city auditor"},
    {"total", NEWSWIRE_MONEY, 2400, 9800, ""},
    {"gap", NEWSWIRE_MONEY, 110, 720, ""},
    {"rise", NEWSWIRE_PERCENT, 18, 74, ""},
    {"jobs", NEWSWIRE_COUNT, 40, 640, ""},
    {"roads", NEWSWIRE_MONEY, 60, 410, ""},
    {"reserve", NEWSWIRE_MONEY, 45, 290, ""},
    {"yes", NEWSWIRE_COUNT, 31, 44, ""},
    {"no", NEWSWIRE_COUNT, 12, 27, ""},
    {"debt", NEWSWIRE_PERCENT, 62, 148, ""},
    {"pools", NEWSWIRE_COUNT, 2, 8, ""},
    {"letters", NEWSWIRE_COUNT, 1100, 9700, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"month", NEWSWIRE_CHOICE, 0, 0, "April|July|September|January"},
    {"cut", NEWSWIRE_CHOICE, 0, 0,
     "evening bus services|the youth theatre|weekend refuse collection|grants to sports clubs|"
     "park maintenance"},
    {"cause", NEWSWIRE_CHOICE, 0, 0,
     "higher energy bills|a fall in parking income|the cost of temporary housing|a court "
     "settlement over pensions"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "Nobody enters politics to close things, but the sums have to add up|This is a budget that "
     "keeps the lights on|We have protected what people rely on most"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "Families are being asked to pay more and get less|The cuts fall on those who shout least|"
     "They have spent the rainy-day money on a sunny day"},
};

static const struct newswire_fact budget_facts[] = {
    {NEWSWIRE_LEAD,
     "councillors in {city} [approved|passed|adopted] a budget of {total} on {day} by {yes} votes "
     "to {no}",
     "{city} councillors passed a budget of {total} by {yes} votes to {no}",
     "the council of {city} voted {yes} to {no} on {day} in favour of a budget worth {total}"},
    {NEWSWIRE_CORE,
     "property tax will rise by {rise} from {month}, [the steepest increase in years|a sharper "
     "increase than the one first proposed]",
     "property tax rises by {rise} from {month}",
     "residents will see property tax go up by {rise} when the plan takes effect in {month}"},
    {NEWSWIRE_CORE,
     "the plan [closes|is meant to close] a shortfall of {gap} that officials blame on {cause}",
     "it closes a shortfall of {gap} blamed on {cause}",
     "the purpose of the plan is to close a shortfall of {gap}, which officials put down to "
     "{cause}"},
    {NEWSWIRE_CORE,
     "{jobs} posts will [go|be cut|disappear], although {leader} said no one would be dismissed "
     "[against their will|before the summer]",
     "{jobs} posts go, without forced dismissals according to {leader}",
     "a total of {jobs} posts are to go, while {leader} insists that nobody will be forced out"},
    {NEWSWIRE_EXTRA,
     "[deep savings|the heaviest savings] fall on {cut}, [which lose most of their funding|where "
     "spending is halved]",
     "the largest savings hit {cut}",
     "among services, {cut} will bear the heaviest savings of all"},
    {NEWSWIRE_EXTRA,
     "by contrast, road repairs [receive|are given] {roads}, [twice the sum of last year|the most "
     "for a decade]",
     "road repairs get {roads}", "one of the few winners is road repair, which is granted {roads}"},
    {NEWSWIRE_EXTRA,
     "{auditor} [warned|cautioned] that reserves would [shrink|fall] to {reserve}, [close to the "
     "legal minimum|a level the law barely allows]",
     "{auditor} warned reserves would fall to {reserve}",
     "in a note to members, {auditor} warned that reserves would drop to {reserve}"},
    {NEWSWIRE_EXTRA,
     "the cuts to {cut} will be reviewed [after six months|in half a year] if income [recovers|"
     "improves]",
     "cuts to {cut} will be reviewed in six months",
     "as a concession, the cuts to {cut} come up for review after half a year"},
    {NEWSWIRE_MINOR,
     "interest on debt now [absorbs|eats up] {debt} of income, [the papers|figures "
     "before the meeting] show",
     "debt interest takes {debt} of income",
     "according to the papers, {debt} of all income is spent on debt interest"},
    {NEWSWIRE_MINOR,
     "{pools} swimming pools [escaped closure|were spared] after a late [amendment|compromise]",
     "{pools} swimming pools were spared",
     "a late amendment saved {pools} swimming pools that had been listed for closure"},
    {NEWSWIRE_MINOR,
     "the council received {letters} letters about the plan, [most of them hostile|many of them "
     "from pensioners]",
     "the council received {letters} letters",
     "before the vote, residents had sent the council {letters} letters about the plan"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {leader} [told the chamber|said]", "{leader} said: \"{q1}\"",
     "defending the plan, {leader} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" [answered|replied] {critic}", "{critic} said: \"{q2}\"",
     "for the opposition, {critic} countered: \"{q2}\""},
};

static const char *const budget_colour[] = {
    "the public gallery was full, and [stewards|clerks] turned latecomers away at the door",
    "a [kettle|tea urn] hissed in the corridor through seven hours of speeches",
    "members argued [line by line|page by page] until the cleaners arrived",
    ("outside the chamber a small group sang, [badly but with conviction|to the annoyance of the "
     "porters]"),
    "the debate was [bad-tempered|unusually civil], with few of the set pieces of earlier years",
};

const struct newswire_domain newswire_budget = {"budget",
                                                budget_slots,
                                                COUNT_OF(budget_slots),
                                                budget_facts,
                                                COUNT_OF(budget_facts),
                                                budget_colour,
                                                COUNT_OF(budget_colour),
                                                0,
                                                3};

static const struct newswire_slot court_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"judge", NEWSWIRE_PERSON, 0, 0, "judge"},
    {"lawyer", NEWSWIRE_PERSON, 0, 0, "defence lawyer"},
    {"claimant", NEWSWIRE_PERSON, 0, 0, "lead claimant"},
    {"firm", NEWSWIRE_GROUP, 0, 0, "the company:Chemicals|Coatings|Metals|Fertilisers"},
    {"fine", NEWSWIRE_MONEY, 24, 640, ""},
    {"claimants", NEWSWIRE_COUNT, 38, 940, ""},
    {"each", NEWSWIRE_DOLLARS, 4000, 58000, ""},
    {"days", NEWSWIRE_COUNT, 21, 90, ""},
    {"pages", NEWSWIRE_COUNT, 64, 310, ""},
    {"weeks", NEWSWIRE_COUNT, 3, 19, ""},
    {"level", NEWSWIRE_COUNT, 12, 80, ""},
    {"tests", NEWSWIRE_COUNT, 110, 980, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"harm", NEWSWIRE_CHOICE, 0, 0,
     "solvent in the drinking water|dust over allotments|a leak into the mill stream|fumes at a "
     "primary school"},
    {"ground", NEWSWIRE_CHOICE, 0, 0,
     "ignored its own safety reports|stored drums without a permit|switched off the "
     "alarms|concealed "
     "test results from inspectors"},
    {"order", NEWSWIRE_CHOICE, 0, 0,
     "replace every filter on the site|pay for yearly health checks|fund a new water main|clear "
     "the contaminated soil"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "The warnings were on the desk and nobody read them|This was not an accident but a habit|"
     "Profit was allowed to speak louder than duty"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "We respect the court but think it has misread the evidence|The science is far less certain "
     "than the ruling suggests|My client never meant to harm anyone"},
    {"q3", NEWSWIRE_CHOICE, 0, 0,
     "It will not give us the lost years back|We only wanted somebody to say it was wrong|I can "
     "drink a glass of water without thinking now"},
};

static const struct newswire_fact court_facts[] = {
    {NEWSWIRE_LEAD, "a court in {city} [ordered|told] {firm} on {day} to pay {fine} over {harm}",
     "a {city} court ordered {firm} to pay {fine} over {harm}",
     "on {day}, the {city} court decided that {firm} must pay {fine} because of {harm}"},
    {NEWSWIRE_CORE, "{judge} [found|ruled] that {firm} had {ground} [for years|over a long period]",
     "{judge} found {firm} {ground}", "the central finding by {judge} was that {firm} {ground}"},
    {NEWSWIRE_CORE,
     "the case was brought by {claimants} [residents|people living nearby], [each of whom will "
     "receive|who are each to receive] {each}",
     "the {claimants} claimants get {each} each",
     "behind the case stood {claimants} residents, who will each be given {each}"},
    {NEWSWIRE_CORE,
     "the ruling is not final: {firm} has {days} days to [appeal|lodge an appeal], and "
     "{lawyer} said it [would|intended to]",
     "an appeal is possible within {days} days and {lawyer} plans one",
     "the judgment can still be challenged, and {lawyer} intends to appeal inside the {days} days "
     "allowed"},
    {NEWSWIRE_EXTRA,
     "{firm} must also {order} [at its own expense|before the plant may run at full capacity]",
     "{firm} must also {order}", "in addition to the payment, {firm} was instructed to {order}"},
    {NEWSWIRE_EXTRA,
     "experts [told|testified to] the court that readings were {level} times the legal limit",
     "readings were {level} times the legal limit",
     "expert witnesses had measured readings of {level} times what the law allows"},
    {NEWSWIRE_EXTRA,
     "[claims|a claim] that managers should be [held liable in person|punished individually] "
     "[were rejected|was rejected] for lack of evidence",
     "claims against individual managers were rejected",
     "the attempt to make managers personally liable did not succeed for want of evidence"},
    {NEWSWIRE_MINOR,
     "the judgment runs to {pages} pages [and took months to write|with a map of "
     "the site attached]",
     "the judgment has {pages} pages",
     "the written judgment, at {pages} pages, is among the longest of the court"},
    {NEWSWIRE_MINOR,
     "the trial [lasted|took] {weeks} weeks, [longer than planned|with one break for illness]",
     "the trial took {weeks} weeks", "altogether, the trial went on for {weeks} weeks"},
    {NEWSWIRE_MINOR,
     "laboratories had [examined|analysed] {tests} samples from [gardens and cellars|wells and "
     "ditches]",
     "{tests} samples were analysed",
     "the evidence included {tests} samples collected around the site"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {judge} [said in the summary read aloud|told the courtroom]",
     "{judge} said: \"{q1}\"", "reading out the summary, {judge} stated: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {lawyer} [told reporters|said outside the building]",
     "{lawyer} said: \"{q2}\"", "on behalf of {firm}, {lawyer} argued: \"{q2}\""},
    {NEWSWIRE_QUOTE, "\"{q3},\" said {claimant} [after the hearing|on the courthouse steps]",
     "{claimant} said: \"{q3}\"", "speaking for the residents, {claimant} added: \"{q3}\""},
};

static const char *const court_colour[] = {
    ("families [held hands|sat shoulder to shoulder] in the front rows while the clerk read the "
     "list "
     "of names"),
    "rain drummed on the glass roof and made the [microphones|interpreters] hard to hear",
    ("a [coach|minibus] had brought the oldest of them, [some with blankets on their knees|two in "
     "wheelchairs]"),
    "security staff had put out extra benches, and still [many|dozens] had to stand",
    "the site itself [lies|stands] behind poplars, a ten-minute walk from the last houses",
};

const struct newswire_domain newswire_court = {"court",
                                               court_slots,
                                               COUNT_OF(court_slots),
                                               court_facts,
                                               COUNT_OF(court_facts),
                                               court_colour,
                                               COUNT_OF(court_colour),
                                               1,
                                               3};
