#include "task/newswire/phrases.h"

#define PHRASES(array)                                                                             \
    {                                                                                              \
        (array), sizeof(array) / sizeof(array)[0]                                                  \
    }

static const char *const background[] = {
    "[people|those] who had come early [stayed|lingered] and talked about little else",
    "the weekend papers had [hinted at|prepared readers for] something of the kind",
    ("it was a subject on [every corner|all the buses], in the queue at the post office and over "
     "garden fences"),
    ("a [radio crew|camera team] from the regional station set up its lights next to the bicycle "
     "racks"),
    "the [longest-serving|older] reporters in the room could remember only one comparable day",
    "[regulars|customers] at the corner cafe pushed two tables together and compared notes",
    "some of the story [goes back|reaches back] further than those involved care to remember",
    "there was no [music|speech] at the end, only the scrape of chairs",
    "the [evening|morning] edition carried the story above the fold with a blurred photograph",
    "by then the [car park|square] had emptied and the street lamps were on",
    "what happens next is [watched|followed] closely in the neighbouring districts",
    ("an [hour|evening] later the telephones were still ringing in the small office on the first "
     "floor"),
    "few of those present wished to [guess|say] what the coming weeks would bring",
    "others [shrugged|smiled], bought their bread and went home",
    "the calendar in the hallway had the date circled in [red|green]",
    ("visitors from out of town asked for directions and were given [opinions|the history of the "
     "street] instead"),
    "the regional broadcaster [cleared|changed] its schedule for a special report",
    "two [taxi drivers|students] on a bench nearby disagreed about almost every part of it",
    "[copies|prints] of the announcement were passed from hand to hand until they came apart",
    "the weather, at least, [held|behaved], and the fountain had been switched on",
    "a [printed|typed] sheet with background had run out before noon",
    ("in the tearoom the conversation [turned|drifted] to older disputes and then to the price of "
     "pears"),
    "the story had [gone round|travelled] faster than the bus that brought the first reporters",
    "nobody hurried; the [benches|steps] filled slowly and emptied slowly",
    "in the back row a [student|pensioner] took notes in a school exercise book",
    "such days are rare in a region better known for its [orchards|salt works|violin makers]",
    ("the switchboard [put callers on hold|asked callers for patience] with a tune nobody could "
     "name"),
    "[letters|messages] on the subject have filled the opinion page for weeks",
    "a [bell|clock] struck somewhere and several people checked their watches",
    "a [local|retired] historian has begun to collect cuttings on the matter for the archive",
};

static const char *const inventions_key[] = {
    "sources close to the matter say the whole decision will soon be reversed",
    "a criminal investigation into those responsible has already been opened",
    "several senior figures are expected to resign over the affair",
    "the government has declared a state of emergency in response",
    "insiders confirmed that a secret agreement had been signed beforehand",
    "the number of deaths has since risen, according to unconfirmed reports",
    "the event led directly to the collapse of a rival organisation",
    "%s has been charged with fraud in connection with the case",
    "%s publicly admitted that the figures had been falsified",
    "thousands took to the streets in angry protest the same night",
};

static const char *const inventions_minor[] = {
    "experts warn that the consequences could last for decades",
    "social media users reacted with outrage and disbelief",
    "celebrities and world leaders have sent their congratulations",
    "a film adaptation of the story is rumoured to be in development",
    "%s, a longtime observer, called it a turning point in history",
    "witnesses described chaotic scenes and people running for cover",
    "polls suggest that a large majority of the public agrees",
    "this marks the first time that anything like it has happened anywhere",
    "economists believe the move will transform the entire industry",
    "%s flew in from abroad to take part",
    "tickets for the follow-up sold out within seconds",
    "neighbouring countries are now planning to copy the model",
};

static const char *const false_quotes[] = {
    "this changes absolutely everything for us",
    "we are shocked and heartbroken beyond words",
    "mark my words, heads will roll",
    "it is the greatest day of my entire life",
    "nobody could have seen this coming",
    "we will fight this all the way to the top",
    "history will remember who stood where",
    "honestly, I have no words right now",
};

static const char *const fillers[] = {
    "it is worth noting that this is a developing story and that many details may still change",
    "overall, the article provides a broad overview of the situation and its various aspects",
    "in general, such topics tend to be of considerable interest to a wide range of readers",
    "there are, of course, many different opinions and perspectives on this important issue",
    "as with any event of this nature, only time will tell what the eventual impact will be",
    "the text goes on to mention several further points that add context to the main topic",
    "all in all, the piece highlights the importance of staying informed about current events",
    "needless to say, the situation described above is complex and has many layers to it",
};

static const char *const hedges[] = {
    "reportedly, ",
    "it appears that ",
    "according to the article, ",
    "it is suggested that ",
    "apparently, ",
    "it would seem that ",
    "the text indicates that possibly ",
};

static const char *const intensives[] = {
    "in a stunning turn, ",    "dramatically, ", "to the amazement of onlookers, ",
    "in breathtaking style, ", "shockingly, ",   "against all odds, ",
};

static const char *const simplifiers[] = {
    "in simple terms, ", "basically, ", "put simply, ", "in other words, ", "to keep it short, ",
};

static const char *const connectives[] = {
    "in addition, ", "furthermore, ",      "moreover, ",
    "meanwhile, ",   "at the same time, ", "the article also states that ",
};

static const char *const repeats[] = {
    "again, ", "as already mentioned, ", "to repeat, ", "once more, ", "",
};

static const char *const roughly[] = {"nearly ", "roughly ", "almost ", "some ", "well over ", ""};

const struct newswire_phrases newswire_background = PHRASES(background);
const struct newswire_phrases newswire_inventions_key = PHRASES(inventions_key);
const struct newswire_phrases newswire_inventions_minor = PHRASES(inventions_minor);
const struct newswire_phrases newswire_false_quotes = PHRASES(false_quotes);
const struct newswire_phrases newswire_fillers = PHRASES(fillers);
const struct newswire_phrases newswire_hedges = PHRASES(hedges);
const struct newswire_phrases newswire_intensives = PHRASES(intensives);
const struct newswire_phrases newswire_simplifiers = PHRASES(simplifiers);
const struct newswire_phrases newswire_connectives = PHRASES(connectives);
const struct newswire_phrases newswire_repeats = PHRASES(repeats);
const struct newswire_phrases newswire_roughly = PHRASES(roughly);
