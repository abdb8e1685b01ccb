/* Events of daily life: a final, a railway disruption, an outbreak, a theft. */
#include "task/newswire/grammar.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct newswire_slot final_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"home", NEWSWIRE_GROUP, 0, 0, "the champions:Rovers|Athletic|Wanderers"},
    {"away", NEWSWIRE_GROUP, 0, 0, "the runners-up:United|Albion|Sporting"},
    {"coach", NEWSWIRE_PERSON, 0, 0, "coach"},
    {"scorer", NEWSWIRE_PERSON, 0, 0, "striker"},
    {"keeper", NEWSWIRE_PERSON, 0, 0, "goalkeeper"},
    {"goals", NEWSWIRE_COUNT, 3, 6, ""},
    {"against", NEWSWIRE_COUNT, 0, 2, ""},
    {"minute", NEWSWIRE_COUNT, 61, 89, ""},
    {"crowd", NEWSWIRE_COUNT, 14000, 62000, ""},
    {"years", NEWSWIRE_COUNT, 7, 48, ""},
    {"shots", NEWSWIRE_COUNT, 11, 29, ""},
    {"prize", NEWSWIRE_MONEY, 6, 120, ""},
    {"season", NEWSWIRE_COUNT, 18, 37, ""},
    {"weeks", NEWSWIRE_COUNT, 3, 14, ""},
    {"held", NEWSWIRE_COUNT, 4, 46, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"cup", NEWSWIRE_CHOICE, 0, 0,
     "the Provinces Cup|the Lantern Trophy|the Seven Rivers Cup|the Founders' Shield"},
    {"turn", NEWSWIRE_CHOICE, 0, 0,
     "a red card|a missed penalty|a goal ruled out for offside|an own goal from a corner"},
    {"injury", NEWSWIRE_CHOICE, 0, 0,
     "a torn hamstring|a broken wrist|a twisted knee|concussion"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "I told them to enjoy the noise and then to ignore it|Nobody gave us a chance in August|We "
     "suffered, and then we flew"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "I hit it and closed my eyes|My grandmother always said I would do this|You dream about it "
     "so often that it feels familiar"},
};

static const struct newswire_fact final_facts[] = {
    {NEWSWIRE_LEAD,
     "{home} [won|lifted|claimed] {cup} in {city} on {day}, [beating|defeating] {away} by {goals} "
     "goals to {against}",
     "{home} beat {away} by {goals} goals to {against} to win {cup}",
     "with {goals} goals to {against} against {away}, {home} secured {cup} in {city} on {day}"},
    {NEWSWIRE_CORE,
     "{scorer} [scored the decisive goal|settled the match] in minute {minute}",
     "{scorer} scored the decisive goal in minute {minute}",
     "the decisive moment belonged to {scorer}, who found the net in minute {minute}"},
    {NEWSWIRE_CORE,
     "it is the club's first title in {years} years",
     "it is the first title in {years} years",
     "supporters of the club had waited {years} years for a title like this one"},
    {NEWSWIRE_CORE,
     "the match turned on {turn} [early in the second half|shortly after the break]",
     "{turn} changed the match",
     "what changed the course of the game was {turn} not long after the interval"},
    {NEWSWIRE_EXTRA,
     "the result [stands|will stand] only if a protest lodged over {turn} is [dismissed|rejected]",
     "a protest over {turn} is pending",
     "the title is subject to a protest over {turn}, which has yet to be decided"},
    {NEWSWIRE_EXTRA,
     "{keeper} left the pitch with {injury} and will miss {weeks} weeks",
     "{keeper} is out for {weeks} weeks with {injury}",
     "for {keeper} the evening ended badly, with {injury} and {weeks} weeks on the sidelines"},
    {NEWSWIRE_EXTRA,
     "the winners receive {prize} and a place in next year's continental round",
     "the winners receive {prize}",
     "prize money of {prize} goes to the winners, along with a continental place"},
    {NEWSWIRE_EXTRA,
     "police [detained|arrested] {held} people after scuffles [at the station|near the turnstiles]",
     "{held} people were arrested after scuffles",
     "away from the pitch, scuffles led police to make {held} arrests"},
    {NEWSWIRE_MINOR, "{crowd} spectators [filled the ground|watched from the stands]",
     "{crowd} spectators attended", "the game was seen by {crowd} spectators in the ground"},
    {NEWSWIRE_MINOR,
     "{away} had {shots} shots [but little luck|yet rarely troubled the goal]",
     "{away} had {shots} shots",
     "despite {shots} shots, {away} got little out of their efforts"},
    {NEWSWIRE_MINOR, "{scorer} has now scored {season} times this season",
     "{scorer} has {season} goals this season",
     "for {scorer}, the tally for the season now stands at {season}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" said {coach}", "{coach} said: \"{q1}\"",
     "looking back on the season, {coach} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {scorer} [said|laughed]", "{scorer} said: \"{q2}\"",
     "still in boots, {scorer} told reporters: \"{q2}\""},
};

static const char *const final_colour[] = {
    "flares [turned|painted] the away end orange, then grey, then invisible",
    "a [dog|fox] ran across the pitch before kick-off and was given the loudest cheer of the first "
    "half",
    "on the way home the trams [rang|sounded] their bells at every stop",
    "the pitch, [patched|relaid] only last month, held up better than many had feared",
    "grown men [wept|sang] into their scarves long after the lights went out",
};

const struct newswire_domain newswire_final = {
    "final",           final_slots,      COUNT_OF(final_slots), final_facts,
    COUNT_OF(final_facts), final_colour, COUNT_OF(final_colour), 3, 0};

static const struct newswire_slot rail_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"town", NEWSWIRE_PLACE, 0, 0, ""},
    {"operator", NEWSWIRE_GROUP, 0, 0, "the operator:Railways|Lines|Transit"},
    {"spokes", NEWSWIRE_PERSON, 0, 0, "spokesperson"},
    {"minister", NEWSWIRE_PERSON, 0, 0, "transport minister"},
    {"rider", NEWSWIRE_PERSON, 0, 0, "commuter"},
    {"trains", NEWSWIRE_COUNT, 42, 460, ""},
    {"riders", NEWSWIRE_COUNT, 6000, 98000, ""},
    {"weeks", NEWSWIRE_COUNT, 2, 16, ""},
    {"cost", NEWSWIRE_MONEY, 14, 380, ""},
    {"delay", NEWSWIRE_COUNT, 35, 140, ""},
    {"age", NEWSWIRE_COUNT, 38, 127, ""},
    {"buses", NEWSWIRE_COUNT, 12, 84, ""},
    {"refund", NEWSWIRE_PERCENT, 150, 600, ""},
    {"speed", NEWSWIRE_COUNT, 30, 80, ""},
    {"checks", NEWSWIRE_COUNT, 2, 7, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"fault", NEWSWIRE_CHOICE, 0, 0,
     "cracks in a viaduct|a burned-out signal box|subsidence beneath the track|corroded overhead "
     "wires|a flooded cutting"},
    {"finding", NEWSWIRE_CHOICE, 0, 0,
     "a routine inspection|a driver's report|a drone survey|a complaint from a farmer"},
    {"mean", NEWSWIRE_CHOICE, 0, 0,
     "single-track running|a night-time closure|a temporary bridge|reduced timetables"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "Safety is the one timetable we do not bend|We know what this means for families and we are "
     "sorry|The structure is old but it was looked after"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "I have read two novels on the replacement bus|I leave in the dark and come back in the "
     "dark|They sell you a seat and give you a queue"},
    {"q3", NEWSWIRE_CHOICE, 0, 0,
     "There will be an inquiry and it will be public|One cannot run a railway on hope|The money "
     "was voted and should have been spent"},
};

static const struct newswire_fact rail_facts[] = {
    {NEWSWIRE_LEAD,
     "{operator} [closed|shut] the line between {city} and {town} on {day} because of {fault}, "
     "[halting|stopping] {trains} trains a day",
     "{fault} closed the {city} to {town} line, halting {trains} trains a day",
     "because of {fault}, {operator} shut the line from {city} to {town} on {day}, and {trains} "
     "daily trains were cancelled"},
    {NEWSWIRE_CORE,
     "repairs [are expected to|should] take {weeks} weeks, [if spare parts arrive on time|weather "
     "permitting]",
     "repairs should take {weeks} weeks, conditions permitting",
     "if nothing goes wrong, the repairs will be finished in {weeks} weeks"},
    {NEWSWIRE_CORE,
     "some {riders} passengers a day [are affected|must find another way]",
     "{riders} daily passengers are affected",
     "every day, the closure affects {riders} passengers on the route"},
    {NEWSWIRE_CORE,
     "the problem came to light through {finding}, {spokes} [said|explained]",
     "{finding} revealed the problem",
     "the defect was discovered thanks to {finding}, according to {spokes}"},
    {NEWSWIRE_EXTRA,
     "{buses} buses [replace|stand in for] the trains, but journeys take {delay} minutes longer",
     "{buses} buses run instead, {delay} minutes slower",
     "travellers are carried by {buses} replacement buses, which need {delay} minutes more"},
    {NEWSWIRE_EXTRA,
     "the work will cost {cost}, [a sum not in this year's plan|half of it from the state]",
     "the work costs {cost}",
     "for the repair, a sum of {cost} has to be found"},
    {NEWSWIRE_EXTRA,
     "season ticket holders can [claim back|reclaim] {refund} of the fare [until the end of the "
     "month|on application]",
     "season ticket holders get {refund} back",
     "those with season tickets are entitled to a refund of {refund}"},
    {NEWSWIRE_EXTRA,
     "{minister} has [ordered|asked for] an inquiry into why {checks} earlier checks found nothing",
     "{minister} ordered an inquiry into {checks} earlier checks",
     "why {checks} earlier checks missed it is to be examined in an inquiry ordered by {minister}"},
    {NEWSWIRE_MINOR, "the [structure|route] is {age} years old [and listed as a monument|and was "
     "last renewed a generation ago]",
     "the structure is {age} years old",
     "parts of the route date back {age} years"},
    {NEWSWIRE_MINOR,
     "trains had been limited to {speed} kilometres an hour [there|at that spot] since the winter",
     "a limit of {speed} kilometres an hour had applied",
     "even before, trains had been slowed to {speed} kilometres an hour"},
    {NEWSWIRE_MINOR, "engineers are [weighing|considering] {mean} as a stopgap",
     "{mean} is being considered", "as a stopgap, engineers are thinking about {mean}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {spokes} said", "{spokes} said: \"{q1}\"",
     "on behalf of the railway, {spokes} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" [sighed|said] {rider}", "{rider} said: \"{q2}\"",
     "in the queue, {rider} put it this way: \"{q2}\""},
    {NEWSWIRE_QUOTE, "\"{q3},\" {minister} told [parliament|reporters]",
     "{minister} said: \"{q3}\"", "the response from {minister} was clear: \"{q3}\""},
};

static const char *const rail_colour[] = {
    "on the platform a vending machine hummed to itself between [folded chairs|two empty benches]",
    "the first replacement bus left [half empty|nine minutes late] with steamed-up windows",
    "pigeons have [taken over|settled in] the ticket hall since the shutters came down",
    "the view from the line is on half the postcards of the region",
    "a poster by the stairs still [advertises|announces] day trips to the coast",
};

const struct newswire_domain newswire_rail = {
    "rail",           rail_slots,      COUNT_OF(rail_slots), rail_facts,
    COUNT_OF(rail_facts), rail_colour, COUNT_OF(rail_colour), 1, 1};

static const struct newswire_slot outbreak_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"doctor", NEWSWIRE_PERSON, 0, 0, "chief physician"},
    {"officer", NEWSWIRE_PERSON, 0, 0, "public health officer"},
    {"parent", NEWSWIRE_PERSON, 0, 0, "parent"},
    {"cases", NEWSWIRE_COUNT, 34, 890, ""},
    {"ward", NEWSWIRE_COUNT, 4, 58, ""},
    {"schools", NEWSWIRE_COUNT, 2, 17, ""},
    {"days", NEWSWIRE_COUNT, 5, 21, ""},
    {"share", NEWSWIRE_PERCENT, 210, 740, ""},
    {"doses", NEWSWIRE_COUNT, 1200, 42000, ""},
    {"samples", NEWSWIRE_COUNT, 60, 940, ""},
    {"cost", NEWSWIRE_MONEY, 3, 64, ""},
    {"calls", NEWSWIRE_COUNT, 400, 7600, ""},
    {"age", NEWSWIRE_COUNT, 6, 19, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"illness", NEWSWIRE_CHOICE, 0, 0,
     "measles|whooping cough|a stomach virus|mumps|salmonella poisoning"},
    {"source", NEWSWIRE_CHOICE, 0, 0,
     "a wedding|a holiday camp|a canteen kitchen|an ice cream van|an indoor playground"},
    {"unsure", NEWSWIRE_CHOICE, 0, 0,
     "laboratory results are still incomplete|two tests contradict each other|only half the "
     "guests were traced|the strain has not been typed"},
    {"measure", NEWSWIRE_CHOICE, 0, 0,
     "a visiting ban on two wards|masks in waiting rooms|the closure of the indoor pool|a pause "
     "for school sport"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "There is no cause for panic and every cause for soap|Come early rather than late, but call "
     "first|We have enough beds as long as people are sensible"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "We heard it from the other parents before we heard it from anyone official|My son thinks it "
     "is a holiday|I just want a straight answer about Monday"},
    {"q3", NEWSWIRE_CHOICE, 0, 0,
     "The curve is bending, but curves can bend back|Every case we trace is three we do not get|"
     "We acted within the hour and would do so again"},
};

static const struct newswire_fact outbreak_facts[] = {
    {NEWSWIRE_LEAD,
     "an outbreak of {illness} in {city} has [infected|sickened] {cases} people, health officials "
     "[said|confirmed] on {day}",
     "{illness} has infected {cases} people in {city}",
     "health officials in {city} announced on {day} that {cases} people had fallen ill with "
     "{illness}"},
    {NEWSWIRE_CORE,
     "{ward} patients are [being treated|in treatment] in hospital, [all in stable condition|none "
     "in danger]",
     "{ward} patients are in hospital",
     "hospital treatment was needed for {ward} patients, whose condition is not critical"},
    {NEWSWIRE_CORE,
     "investigators [suspect|believe] that it began at {source}",
     "{source} is the suspected origin",
     "the trail leads investigators to {source} as the likely beginning"},
    {NEWSWIRE_CORE,
     "the cause is not [settled|certain], because {unsure}, {officer} [warned|cautioned]",
     "the cause is uncertain because {unsure}",
     "no firm conclusion is possible yet, {officer} warned, since {unsure}"},
    {NEWSWIRE_EXTRA,
     "{schools} schools will [stay closed|remain shut] for {days} days",
     "{schools} schools close for {days} days",
     "for {days} days there will be no lessons at {schools} schools"},
    {NEWSWIRE_EXTRA,
     "only {share} of those [infected|affected] had been vaccinated",
     "{share} of those infected were vaccinated",
     "according to the records, {share} of those affected had had a vaccination"},
    {NEWSWIRE_EXTRA,
     "{doses} doses of vaccine [have been ordered|are on their way] for [a mobile clinic|family "
     "doctors]",
     "{doses} vaccine doses were ordered",
     "in reply, the city has obtained {doses} further doses of vaccine"},
    {NEWSWIRE_EXTRA,
     "the authorities have [imposed|introduced] {measure} [with immediate effect|until further "
     "notice]",
     "{measure} is in force",
     "among the steps taken by the authorities is {measure}"},
    {NEWSWIRE_MINOR, "laboratories are [working through|testing] {samples} samples",
     "{samples} samples are being tested",
     "in the laboratories, {samples} samples are waiting for a result"},
    {NEWSWIRE_MINOR,
     "the [hotline|advice line] took {calls} calls [in one day|since the weekend]",
     "{calls} calls reached the hotline",
     "worried residents made {calls} calls to the hotline"},
    {NEWSWIRE_MINOR, "the response has cost {cost} so far",
     "the response cost {cost}", "up to now the bill for the response amounts to {cost}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" said {doctor}", "{doctor} said: \"{q1}\"",
     "from the hospital, {doctor} advised: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {parent} [said|told this agency]", "{parent} said: \"{q2}\"",
     "at the school gate, {parent} said: \"{q2}\""},
    {NEWSWIRE_QUOTE, "\"{q3},\" {officer} [said|added]", "{officer} said: \"{q3}\"",
     "at a briefing, {officer} said: \"{q3}\""},
};

static const char *const outbreak_colour[] = {
    "pharmacies have put [small|handwritten] signs about hand gel in their windows",
    "in the [waiting room|entrance hall] chairs stand further apart than usual",
    "parents [traded|swapped] rumours on their phones faster than officials could answer them",
    "the last comparable episode is remembered mainly by [retired nurses|the older teachers]",
    "a baker near the clinic [delivered|sent over] three trays of rolls for the night shift",
};

const struct newswire_domain newswire_outbreak = {
    "outbreak",          outbreak_slots,      COUNT_OF(outbreak_slots), outbreak_facts,
    COUNT_OF(outbreak_facts), outbreak_colour, COUNT_OF(outbreak_colour), 2, 2};

static const struct newswire_slot theft_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"museum", NEWSWIRE_GROUP, 0, 0, "the museum:Museum|Gallery|Collection"},
    {"chief", NEWSWIRE_PERSON, 0, 0, "detective"},
    {"curator", NEWSWIRE_PERSON, 0, 0, "curator"},
    {"guard", NEWSWIRE_PERSON, 0, 0, "night guard"},
    {"artist", NEWSWIRE_PERSON, 0, 0, "the painter"},
    {"works", NEWSWIRE_COUNT, 2, 14, ""},
    {"value", NEWSWIRE_MONEY, 18, 880, ""},
    {"minutes", NEWSWIRE_COUNT, 3, 19, ""},
    {"reward", NEWSWIRE_DOLLARS, 20000, 240000, ""},
    {"held", NEWSWIRE_COUNT, 2, 6, ""},
    {"found", NEWSWIRE_COUNT, 40, 190, ""},
    {"cameras", NEWSWIRE_COUNT, 12, 88, ""},
    {"leads", NEWSWIRE_COUNT, 30, 480, ""},
    {"year", NEWSWIRE_COUNT, 60, 240, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"open", NEWSWIRE_DAY, 0, 0, ""},
    {"way", NEWSWIRE_CHOICE, 0, 0,
     "a skylight|the coal cellar|a delivery hatch|scaffolding at the rear|an unlocked fire door"},
    {"item", NEWSWIRE_CHOICE, 0, 0,
     "paintings|bronze figures|icons|miniatures|enamel brooches"},
    {"trace", NEWSWIRE_CHOICE, 0, 0,
     "a burned-out van|a boat without a number|a rented lock-up|an abandoned ladder"},
    {"doubt", NEWSWIRE_CHOICE, 0, 0,
     "one piece may be a copy|the list of losses is not final|the value is an insurer's guess|it "
     "is unclear whether anyone inside helped"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "They knew exactly which wall they wanted|This was rehearsed, down to the gloves|We are "
     "looking for people with patience and a plan"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "You walk past a pale rectangle and your heart stops|Nobody can sell these in daylight|They "
     "belonged to everyone, which is to say to the children"},
};

static const struct newswire_fact theft_facts[] = {
    {NEWSWIRE_LEAD,
     "thieves [stole|took|carried off] {works} {item} from {museum} in {city} on {day}, [worth|"
     "valued at] {value}",
     "thieves stole {works} {item} worth {value} from {museum}",
     "from {museum} in {city}, {works} {item} with a value of {value} were stolen on {day}"},
    {NEWSWIRE_CORE,
     "they [entered|got in] through {way} and were gone within {minutes} minutes",
     "they entered through {way} and left within {minutes} minutes",
     "the intruders, who came in by way of {way}, needed just {minutes} minutes"},
    {NEWSWIRE_CORE,
     "police are [holding|questioning] {held} people, [but have brought no charges|none of whom "
     "has been charged]",
     "police hold {held} people, so far uncharged",
     "without charges so far, {held} people are being questioned by police"},
    {NEWSWIRE_CORE,
     "{chief} [stressed|cautioned] that {doubt}",
     "{chief} cautioned that {doubt}",
     "a note of caution came from {chief}, who said that {doubt}"},
    {NEWSWIRE_EXTRA,
     "{trace} was [found|discovered] {found} kilometres away [the next morning|by a cyclist]",
     "{trace} was found {found} kilometres away",
     "at a distance of {found} kilometres, searchers came upon {trace}"},
    {NEWSWIRE_EXTRA,
     "the insurer has [offered|put up] a reward of {reward}",
     "a reward of {reward} is offered",
     "information leading to the loot will be rewarded with {reward}"},
    {NEWSWIRE_EXTRA,
     "{guard} was [tied up|locked in a storeroom] but not hurt",
     "{guard} was overpowered but not hurt",
     "although overpowered by the thieves, {guard} came to no harm"},
    {NEWSWIRE_EXTRA,
     "the {item} were on loan and had been made {year} years ago by {artist}",
     "the loaned {item} by {artist} are {year} years old",
     "created {year} years ago by {artist}, the {item} had been there on loan"},
    {NEWSWIRE_MINOR, "of {cameras} cameras in the building, [several|a few] were [switched off|being "
     "serviced]",
     "the building has {cameras} cameras, some off",
     "part of the {cameras} cameras in the building had not been running"},
    {NEWSWIRE_MINOR,
     "the museum will stay closed until {open}, [visitors were told|a notice at the door said]",
     "the museum reopens on {open}",
     "visitors will not be admitted again before {open}"},
    {NEWSWIRE_MINOR, "the public has sent in {leads} tips",
     "police received {leads} tips",
     "since the appeal went out, {leads} tips have come in from the public"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {chief} said", "{chief} said: \"{q1}\"",
     "about the gang, {chief} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {curator} [said|told reporters]", "{curator} said: \"{q2}\"",
     "speaking of the loss, {curator} said: \"{q2}\""},
};

static const char *const theft_colour[] = {
    "tape [fluttered|hung] across the courtyard, and a cat slept on the bonnet of a patrol car",
    "staff [gathered|waited] in the cloakroom with their coats still on",
    "in the shop the postcards of the missing pieces had [sold out|gone] by lunchtime",
    "floorboards in the old wing [creak|complain] so loudly that visitors apologise to them",
    "a school class stood at the locked gate and drew the facade instead",
};

const struct newswire_domain newswire_theft = {
    "theft",           theft_slots,      COUNT_OF(theft_slots), theft_facts,
    COUNT_OF(theft_facts), theft_colour, COUNT_OF(theft_colour), 3, 0};

const struct newswire_domain *const newswire_domains[NEWSWIRE_DOMAINS] = {
    &newswire_election, &newswire_budget, &newswire_court,   &newswire_earnings, &newswire_strike,
    &newswire_launch,   &newswire_storm,  &newswire_study,   &newswire_reserve,  &newswire_final,
    &newswire_rail,     &newswire_outbreak, &newswire_theft};
