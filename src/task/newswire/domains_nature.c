/* Events of the natural world and its study: a storm, a research finding, a nature reserve. */
#include "task/newswire/grammar.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct newswire_slot storm_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"town", NEWSWIRE_PLACE, 0, 0, ""},
    {"mayor", NEWSWIRE_PERSON, 0, 0, "mayor"},
    {"expert", NEWSWIRE_PERSON, 0, 0, "forecaster"},
    {"witness", NEWSWIRE_PERSON, 0, 0, "resident"},
    {"wind", NEWSWIRE_COUNT, 96, 168, ""},
    {"homes", NEWSWIRE_COUNT, 4200, 96000, ""},
    {"hurt", NEWSWIRE_COUNT, 2, 38, ""},
    {"moved", NEWSWIRE_COUNT, 140, 5400, ""},
    {"damage", NEWSWIRE_MONEY, 90, 1900, ""},
    {"rain", NEWSWIRE_COUNT, 48, 190, ""},
    {"trees", NEWSWIRE_COUNT, 120, 2900, ""},
    {"crews", NEWSWIRE_COUNT, 18, 140, ""},
    {"shelters", NEWSWIRE_COUNT, 3, 15, ""},
    {"years", NEWSWIRE_COUNT, 11, 60, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"back", NEWSWIRE_DAY, 0, 0, ""},
    {"hit", NEWSWIRE_CHOICE, 0, 0,
     "the fish market|the old observatory|a row of beach huts|the roof of the ice rink|the "
     "cathedral scaffolding"},
    {"shut", NEWSWIRE_CHOICE, 0, 0,
     "the coast road|the ferry port|all primary schools|the ring road tunnel"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "We were lucky that it came at night and not at school time|Please stay at home and leave "
     "the roads to the crews|The water came faster than the sirens"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "It sounded like a train that would not pass|I have lived here all my life and never saw the "
     "sea so high|My greenhouse is in the neighbour's garden now"},
    {"q3", NEWSWIRE_CHOICE, 0, 0,
     "The worst is over, but the ground cannot take more rain|One storm proves nothing, a row of "
     "them does|The track shifted in the last hours and caught us out"},
};

static const struct newswire_fact storm_facts[] = {
    {NEWSWIRE_LEAD,
     "a storm with gusts of {wind} kilometres an hour [struck|hit|swept over] {city} on {day}, "
     "cutting power to {homes} homes",
     "a storm hit {city}, cutting power to {homes} homes",
     "{city} was struck on {day} by a storm whose gusts of {wind} kilometres an hour left {homes} "
     "homes without power"},
    {NEWSWIRE_CORE,
     "{hurt} people were [injured|hurt], [none of them seriously|most of them by falling tiles], "
     "and no deaths were reported",
     "{hurt} people were injured and none died",
     "there were no deaths, though {hurt} people suffered injuries"},
    {NEWSWIRE_CORE,
     "{moved} residents of {town} [had to leave|were moved from] their homes when [the river|the "
     "canal] rose",
     "{moved} people were moved from {town}",
     "as the water rose, {moved} residents of nearby {town} had to leave home"},
    {NEWSWIRE_CORE,
     "electricity should be [restored|back] by {back}, provided that the wind [drops|eases], the "
     "grid operator said",
     "power should be back by {back} if the wind drops",
     "if the wind eases, the grid operator hopes to restore supply by {back}"},
    {NEWSWIRE_EXTRA,
     "first estimates put the damage at {damage}, [not counting crops|without lost trade]",
     "damage is put at {damage}", "the bill for the damage is estimated at {damage} so far"},
    {NEWSWIRE_EXTRA, "{shut} [stayed closed|remained shut], and {mayor} asked people not to travel",
     "{shut} remained closed", "travel was discouraged by {mayor}, and {shut} did not reopen"},
    {NEWSWIRE_EXTRA,
     "it was the [strongest|most severe] storm in the region for {years} years, according to "
     "{expert}",
     "it was the strongest storm in {years} years",
     "not for {years} years has the region seen a stronger storm, {expert} said"},
    {NEWSWIRE_EXTRA,
     "the worst damage was to {hit}, [which partly collapsed|which will have to be rebuilt]",
     "{hit} suffered the worst damage",
     "worst affected of all was {hit}, much of which was destroyed"},
    {NEWSWIRE_MINOR, "{rain} millimetres of rain fell [in a single night|within twelve hours]",
     "{rain} millimetres of rain fell",
     "gauges measured {rain} millimetres of rain during the storm"},
    {NEWSWIRE_MINOR,
     "{crews} crews were [clearing|removing] {trees} fallen trees [by the afternoon|with help from "
     "farmers]",
     "{crews} crews cleared {trees} trees",
     "to remove the {trees} fallen trees, {crews} crews were sent out"},
    {NEWSWIRE_MINOR, "{shelters} emergency shelters [opened|were set up] in [gyms|church halls]",
     "{shelters} shelters opened",
     "the authorities opened {shelters} emergency shelters for those in need"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {mayor} [said|told local radio]", "{mayor} said: \"{q1}\"",
     "speaking on local radio, {mayor} said: \"{q1}\""},
    {NEWSWIRE_QUOTE,
     "\"{q2},\" said {witness}, [sweeping glass from the step|still in rubber "
     "boots]",
     "{witness} said: \"{q2}\"", "one local, {witness}, recalled: \"{q2}\""},
    {NEWSWIRE_QUOTE, "\"{q3},\" {expert} [said|explained]", "{expert} said: \"{q3}\"",
     "from the weather office, {expert} noted: \"{q3}\""},
};

static const char *const storm_colour[] = {
    "a garden trampoline hung from the [bandstand|church clock] like a forgotten hat",
    "neighbours [shared|passed round] gas stoves and torches in the stairwells",
    "gulls [stood|sat] in rows on the flooded football pitch",
    "by dawn the streets were [quiet|empty] apart from the sound of chainsaws",
    "a handwritten note on the bakery door [promised|announced] bread at noon, oven permitting",
};

const struct newswire_domain newswire_storm = {"storm",
                                               storm_slots,
                                               COUNT_OF(storm_slots),
                                               storm_facts,
                                               COUNT_OF(storm_facts),
                                               storm_colour,
                                               COUNT_OF(storm_colour),
                                               3,
                                               0};

static const struct newswire_slot study_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"institute", NEWSWIRE_GROUP, 0, 0, "the institute:Institute|Observatory|Laboratory"},
    {"lead", NEWSWIRE_PERSON, 0, 0, "lead author"},
    {"sceptic", NEWSWIRE_PERSON, 0, 0, "statistician"},
    {"n", NEWSWIRE_COUNT, 180, 14800, ""},
    {"effect", NEWSWIRE_PERCENT, 64, 412, ""},
    {"years", NEWSWIRE_COUNT, 3, 22, ""},
    {"grant", NEWSWIRE_MONEY, 8, 170, ""},
    {"sites", NEWSWIRE_COUNT, 4, 36, ""},
    {"error", NEWSWIRE_PERCENT, 12, 58, ""},
    {"dropped", NEWSWIRE_PERCENT, 41, 236, ""},
    {"authors", NEWSWIRE_COUNT, 6, 44, ""},
    {"age", NEWSWIRE_COUNT, 31, 68, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"habit", NEWSWIRE_CHOICE, 0, 0,
     "sleeping with an open window|walking before breakfast|learning an instrument late in life|"
     "eating fermented cabbage|tending a vegetable patch"},
    {"result", NEWSWIRE_CHOICE, 0, 0,
     "migraine|hearing loss|winter infections|high blood pressure|back pain|poor memory"},
    {"where", NEWSWIRE_CHOICE, 0, 0, "twins|shift workers|retired teachers|bus drivers|nurses"},
    {"how", NEWSWIRE_CHOICE, 0, 0,
     "diaries and blood samples|wrist sensors|yearly interviews|hospital records"},
    {"next", NEWSWIRE_CHOICE, 0, 0,
     "a randomised trial|a larger survey abroad|a study in children|a test of the dose"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "We checked the numbers three times because we did not believe them|It is a small push, but "
     "it pushes everyone|The body seems to keep better accounts than we do"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "People who do this may simply be healthier to begin with|I would want to see it repeated "
     "before I change my habits|The effect is there, the reason is anyone's guess"},
};

static const struct newswire_fact study_facts[] = {
    {NEWSWIRE_LEAD,
     "{habit} is linked to {effect} fewer cases of {result}, [researchers|scientists] at "
     "{institute} "
     "in {city} [reported|wrote] on {day}",
     "researchers link {habit} to {effect} fewer cases of {result}",
     "a study by {institute} in {city} connects {habit} with {effect} fewer cases of {result}"},
    {NEWSWIRE_CORE, "the team [followed|observed] {n} {where} for {years} years",
     "the study followed {n} {where} for {years} years",
     "its data come from {n} {where}, who were observed over {years} years"},
    {NEWSWIRE_CORE,
     "the authors [stress|underline] that the study shows an association and [cannot prove a "
     "cause|does not prove a cause]",
     "the study does not prove a cause",
     "as the authors themselves emphasise, an association of this kind is no proof of a cause"},
    {NEWSWIRE_CORE,
     "the [link|association] was [strongest|clearest] among people over {age} [and weak in the "
     "rest|and vanished below that age]",
     "the link was strongest in people over {age}",
     "it was above all in people older than {age} that the association showed"},
    {NEWSWIRE_EXTRA,
     "{sceptic}, who was not involved, [pointed to|noted] a margin of error of {error}",
     "{sceptic} pointed to an error margin of {error}",
     "an outside expert, {sceptic}, drew attention to the error margin of {error}"},
    {NEWSWIRE_EXTRA,
     "{dropped} of participants [dropped out|left] along the way, [which may have flattered the "
     "result|a possible source of bias]",
     "{dropped} of participants dropped out",
     "a weakness is that {dropped} of those taking part did not stay to the end"},
    {NEWSWIRE_EXTRA, "the team [plans|is preparing] {next} [as a next step|to settle the question]",
     "{next} is planned", "to go further, the researchers are preparing {next}"},
    {NEWSWIRE_EXTRA, "the findings rest on {how} [collected|gathered] at {sites} sites",
     "the data are {how} from {sites} sites",
     "the evidence consists of {how}, brought together from {sites} sites"},
    {NEWSWIRE_MINOR, "the work was [funded|paid for] with {grant} of public money",
     "the work cost {grant}", "public funds of {grant} were spent on the project"},
    {NEWSWIRE_MINOR,
     "the paper has {authors} authors [from four disciplines|and appeared after long review]",
     "the paper has {authors} authors", "altogether {authors} authors have signed the paper"},
    {NEWSWIRE_MINOR,
     "{lead^} [began|started] the project [as a doctoral student|after a chance "
     "remark by a patient]",
     "{lead} began the project", "the idea for the project goes back to {lead}"},
    {NEWSWIRE_QUOTE, "\"{q1},\" {lead} said", "{lead} said: \"{q1}\"",
     "describing the finding, {lead} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {sceptic} [commented|said]", "{sceptic} said: \"{q2}\"",
     "less convinced, {sceptic} remarked: \"{q2}\""},
};

static const char *const study_colour[] = {
    "[studies|papers] of this kind have come and gone, and many have not survived a second look",
    "on the shelves of the [reading|seminar] room stand the ring binders of the early years",
    ("the question has [occupied|puzzled] doctors since well before there were machines to ask it "
     "of"),
    "participants received a [calendar|tea towel] every winter as a thank-you",
    "in the corridor hangs a chart with coloured pins, one for each visit",
};

const struct newswire_domain newswire_study = {"study",
                                               study_slots,
                                               COUNT_OF(study_slots),
                                               study_facts,
                                               COUNT_OF(study_facts),
                                               study_colour,
                                               COUNT_OF(study_colour),
                                               0,
                                               3};

static const struct newswire_slot reserve_slots[] = {
    {"city", NEWSWIRE_PLACE, 0, 0, ""},
    {"ranger", NEWSWIRE_PERSON, 0, 0, "ranger"},
    {"farmer", NEWSWIRE_PERSON, 0, 0, "farmer"},
    {"official", NEWSWIRE_PERSON, 0, 0, "conservation officer"},
    {"animal", NEWSWIRE_CHOICE, 0, 0,
     "marsh lynx|white-backed cranes|river otters|black storks|fen ponies|tree frogs"},
    {"released", NEWSWIRE_COUNT, 12, 140, ""},
    {"area", NEWSWIRE_COUNT, 320, 9400, ""},
    {"cost", NEWSWIRE_MONEY, 9, 240, ""},
    {"farms", NEWSWIRE_COUNT, 4, 39, ""},
    {"years", NEWSWIRE_COUNT, 28, 110, ""},
    {"survive", NEWSWIRE_PERCENT, 410, 860, ""},
    {"visitors", NEWSWIRE_COUNT, 8000, 74000, ""},
    {"collars", NEWSWIRE_COUNT, 8, 60, ""},
    {"signed", NEWSWIRE_COUNT, 900, 18000, ""},
    {"day", NEWSWIRE_DAY, 0, 0, ""},
    {"threat", NEWSWIRE_CHOICE, 0, 0, "drainage|hunting|pesticides|a railway line|egg collectors"},
    {"term", NEWSWIRE_CHOICE, 0, 0,
     "for a trial period of five years|until the next harvest review|only while the water level "
     "holds|on condition that fences are kept"},
    {"worry", NEWSWIRE_CHOICE, 0, 0, "lost lambs|wet meadows|trampled maize|empty fish ponds"},
    {"pay", NEWSWIRE_CHOICE, 0, 0,
     "a hardship fund|the lottery board|the regional parliament|a private foundation"},
    {"q1", NEWSWIRE_CHOICE, 0, 0,
     "They stepped out as if they had only been away for the weekend|I had goose bumps, and I have "
     "done this for years|Now the hard part begins, which is leaving them alone"},
    {"q2", NEWSWIRE_CHOICE, 0, 0,
     "Nobody asked the people who mow the grass|I have nothing against them, as long as they can "
     "read a fence|We will be paying for other people's holiday pictures"},
};

static const struct newswire_fact reserve_facts[] = {
    {NEWSWIRE_LEAD,
     "{released} {animal} were [released|set free] in a new reserve near {city} on {day}, {years} "
     "years after the last were seen there",
     "{released} {animal} were released near {city} after {years} years",
     "after an absence of {years} years, {released} {animal} were set free on {day} in a reserve "
     "close to {city}"},
    {NEWSWIRE_CORE, "the reserve [covers|takes in] {area} hectares of [wetland|former pasture]",
     "the reserve covers {area} hectares", "the protected land measures {area} hectares in all"},
    {NEWSWIRE_CORE, "the permit [was granted|is valid] {term}, {official} [said|pointed out]",
     "the permit holds {term}", "as {official} pointed out, the permit was granted {term}"},
    {NEWSWIRE_CORE, "{farms} farms [object to|oppose] the project because they fear {worry}",
     "{farms} farms oppose it, fearing {worry}",
     "the project is opposed by {farms} farms, where people worry about {worry}"},
    {NEWSWIRE_EXTRA, "the programme costs {cost}, [paid|met] by {pay}",
     "the cost of {cost} is met by {pay}",
     "a sum of {cost} has been provided for the programme by {pay}"},
    {NEWSWIRE_EXTRA, "the animals had [disappeared|died out] from the area because of {threat}",
     "{threat} had wiped them out",
     "it was {threat} that had once driven the animals from the area"},
    {NEWSWIRE_EXTRA,
     "in similar projects {survive} of the animals [survived|lived through] the first winter",
     "{survive} survive the first winter elsewhere",
     "experience elsewhere suggests that {survive} will live through their first winter"},
    {NEWSWIRE_EXTRA,
     "farmers who suffer {worry} will be [compensated|paid] by {pay}, [up to a limit|if they file "
     "within a month]",
     "{pay} will compensate farmers for {worry}",
     "should there be {worry}, those affected can claim compensation from {pay}"},
    {NEWSWIRE_MINOR, "{collars} of them carry [collars|tags] that report their position",
     "{collars} carry tags", "so that they can be followed, {collars} of the animals carry tags"},
    {NEWSWIRE_MINOR,
     "planners expect {visitors} visitors a year [on boardwalks yet to be built|at two viewing "
     "towers]",
     "{visitors} visitors a year are expected",
     "the region hopes that {visitors} visitors will come every year"},
    {NEWSWIRE_MINOR, "a petition against the plan had [gathered|collected] {signed} signatures",
     "{signed} people signed a petition against it",
     "opponents had earlier handed in a petition with {signed} signatures"},
    {NEWSWIRE_QUOTE, "\"{q1},\" said {ranger}", "{ranger} said: \"{q1}\"",
     "visibly moved, {ranger} said: \"{q1}\""},
    {NEWSWIRE_QUOTE, "\"{q2},\" {farmer} [said|grumbled]", "{farmer} said: \"{q2}\"",
     "on the other side, {farmer} complained: \"{q2}\""},
};

static const char *const reserve_colour[] = {
    "mist lay over the [reeds|ditches] when the crates were carried down to the water",
    "schoolchildren had been asked to whisper, and [mostly did|for once they did]",
    "for a long minute [nothing moved|nothing happened], then a latch clicked",
    "an [elderly|old] man in the crowd said he remembered the last ones from his childhood",
    "the path is muddy and [planks|pallets] had been laid for the guests",
};

const struct newswire_domain newswire_reserve = {"reserve",
                                                 reserve_slots,
                                                 COUNT_OF(reserve_slots),
                                                 reserve_facts,
                                                 COUNT_OF(reserve_facts),
                                                 reserve_colour,
                                                 COUNT_OF(reserve_colour),
                                                 2,
                                                 1};
