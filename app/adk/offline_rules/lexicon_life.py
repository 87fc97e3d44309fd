"""Everyday words about tastes, food, health, pastimes and habits.

A line reads `concept = words that mean it > words that are a kind of it, or imply it`.
"""

LIFE = """
like = like, love, enjoy, adore, fan of, fond of, keen on, into, crazy about, mad about,
    passionate about, can not get enough of, taste, addicted to, obsessed with, sucker for, soft
    spot, happy, happiest, sweet tooth > favourite, prefer
favourite = favourite, favorite, fave, like best, love most, like most, enjoy most, prefer,
    preferred, best loved, number one, top, nothing beats, of choice, most of all, above all >
    best
dislike = dislike, hate, loathe, detest, can not stand, can not bear, do not like, does not like,
    not like, not a fan, not into, not keen on, do not enjoy, do not care for, can not abide,
    despise, not my thing, least favourite, least favorite, put off, avoid, disgust, gross, makes
    me sick, never touch, annoy, drive me mad, drives me mad, drive me crazy, drives me crazy, get
    on my nerves, gets on my nerves, pet hate, pet peeve, can not eat, hate the taste,
    leave out, repulse, wo not eat, will not eat, refuse to eat, not touch, turn my stomach
annoy = annoy, drive me mad, drives me mad, drive me crazy, drives me crazy, get on my nerves,
    gets on my nerves, pet peeve, irritate, bug, wind me up, winds me up
prefer = prefer, rather, preference
allergy = can not eat, can not have, can not drink, not tolerate, do not tolerate, swell, allergy,
    allergic, intolerant, intolerance, sensitive to, react, reaction, anaphylaxis, epipen, hives,
    come out in a rash, must avoid, can not tolerate > hay fever, lactose, coeliac, celiac
eat = eat, food, meal, dish, snack, cuisine, dine, have for > breakfast, lunch, dinner, supper,
    bake, FOODS
food = food, dish, meal, cuisine, snack, treat > FOODS, fruit, vegetable, eat, vegetarian, vegan,
    spice, dessert
fruit = fruit > apple, pear, banana, orange, mango, strawberry, raspberry, blueberry, cherry,
    plum, peach, apricot, grape, melon, watermelon, kiwi, pineapple, fig, lemon, lime, papaya,
    pomegranate, coconut, grapefruit, avocado, rhubarb, berry
vegetable = vegetable, veg, veggie, greens > broccoli, spinach, carrot, potato, tomato, cucumber,
    courgette, zucchini, aubergine, eggplant, kale, cabbage, cauliflower, pea, bean, onion,
    garlic, leek, celery, beetroot, turnip, asparagus, sprout, brussels sprouts, mushroom, pepper,
    radish, olive, okra, fennel, parsnip, artichoke, pumpkin
herb = herb, spice > coriander, cilantro, basil, parsley, cumin, thyme, rosemary,
    dill, oregano, paprika, cinnamon, ginger, turmeric, saffron, nutmeg
nut = nut > peanut, hazelnut, almond, walnut, cashew, pistachio, pecan
fish_ = fish > goldfish, guppy, koi, betta, carp, tetra
seafood = seafood, shellfish, fish > prawn, shrimp, crab, lobster, mussel, oyster, squid, octopus,
    salmon, tuna, cod, anchovy, sardine, herring, mackerel, trout, clam
meat = meat > beef, pork, chicken, lamb, bacon, sausage, ham, steak, turkey, vegetarian, vegan,
    plant based
cheese = cheese > cheddar, brie, gouda, feta, mozzarella, gorgonzola, camembert, blue cheese,
    halloumi, parmesan
dairy = dairy > milk, cheese, yogurt, yoghurt, butter, cream, lactose
dessert = dessert, sweet, pudding, cake, treat > pie, ice cream, chocolate, cheesecake, tiramisu,
    brownie, cookie, biscuit, crumble, baklava, lemon tart, tart, pancake, pavlova, gelato, carrot
    cake, apple pie
breakfast = breakfast, in the morning, first meal > porridge, muesli, cereal, oatmeal, granola
lunch = lunch, midday
dinner = dinner, supper, evening meal
diet = diet, dietary, eating habits, nutrition > vegetarian, vegan, pescatarian, kosher, halal,
    keto, gluten free, dairy free, coeliac, celiac, lactose, plant based, low carb, do not eat,
    does not eat
vegetarian = vegetarian, veggie, not eat meat, no meat
vegan = vegan, plant based
gluten = gluten, coeliac, celiac, wheat, bread
drink = drink, beverage, sip > coffee, tea, wine, beer, juice, water, milk, cocktail, whisky,
    whiskey, gin, vodka, rum, espresso, latte, cappuccino, flat white, americano, cocoa, hot
    chocolate, lemonade, coke, cola, soda, smoothie, kombucha, chai, matcha, champagne, earl grey,
    cider, gin and tonic, negroni, mojito, sparkling water, alcohol, decaf, cortado, macchiato,
    rooibos, green tea, oat milk, mate, prosecco
coffee = coffee, caffeine, brew > espresso, latte, cappuccino, flat white, americano, decaf,
    cortado, macchiato, filter coffee, cold brew
tea = tea > earl grey, chai, matcha, rooibos, green tea, oolong
alcohol = alcohol, booze, alcoholic, sober, teetotal, drink > champagne, wine, beer, whisky,
    whiskey, gin, vodka, rum, cocktail, cider, negroni, mojito, prosecco
hot = morning drink
order = order, usual, have
sugar = sugar, sweetener
cooking_ = cook, cooking, bake, baking, recipe, kitchen
bake = bake, baking, baker
speciality = speciality, specialty, signature dish, cook best, bake best, best dish, best recipe,
    famous for
candy = candy, sweets, confectionery > liquorice, licorice, chocolate, marzipan, toffee, fudge,
    gummy bear, lollipop, nougat, marshmallow
restaurant = restaurant, place to eat, eat out, diner, bistro, table > pizzeria, trattoria, cafe,
    café, sushi place, steakhouse, canteen, book a table, takeaway
cafe = cafe, café, coffee shop
pub = pub, bar
health = health problem, health issue, health, medical, ailment > illness, bad back, bad knee,
    bad hip, injury
illness = illness, medical condition, condition, disease, diagnose, suffer, sick, ill > asthma,
    diabetes,
    diabetic, migraine, epilepsy, arthritis, anaemia, anemia, hypertension, high blood pressure,
    thyroid, adhd, dyslexia, dyslexic, autistic, autism, depression, anxiety, insomnia, eczema,
    psoriasis, celiac, coeliac, back pain, hay fever, colour blind, color blind, cholesterol,
    heart murmur, crohn, endometriosis, tinnitus, sciatica, vertigo, deaf, blind, sleep apnoea
medicine = medicine, medication, meds, pill, tablet, prescription, drug, dose, prescribe, inhaler,
    insulin, antibiotic, statin, antihistamine, painkiller > ibuprofen, paracetamol, aspirin,
    metformin, atorvastatin, levothyroxine, penicillin, amoxicillin, ventolin, omeprazole,
    sertraline, vitamin, supplement
diabetes = diabetes, diabetic
migraine = migraine, headache
injury = injury, injure, hurt, break, broken, sprain, tear, fracture, accident, torn, twist,
    dislocate
surgery = surgery, operation, operate, procedure, surgical > replace, remove, transplant,
    appendix, tonsil, stitches
hospital = hospital, clinic, ward, medical centre
bloodtype = blood type, blood group
glasses = glasses, spectacles, contact lens, short sighted, nearsighted, farsighted, eyesight,
    vision, prescription glasses
writing = write, handwriting > left handed, right handed, left hander, lefty
hand = hand, handed, left handed, right handed, lefty, southpaw
height = height, tall, cm tall, feet tall
weight = weight, weigh, kilo, kg, pound
shoe = shoe, boot, sneaker, trainers, footwear
size = size
eye = eye
hair = hair
tattoo = tattoo, ink, inked
sleep = sleep, bed, bedtime, asleep, nap, go to bed, turn in, night owl, hit the hay, insomnia
wake = wake, wake up, get up, rise, out of bed, alarm clock, alarm goes off, early bird, morning
    person, early riser
smoke = smoke, cigarette, smoker, vape, smoking
pregnant = pregnant, expecting, due, due date, baby due, due in
fear = fear, afraid, scared, phobia, terrified, frighten, nightmare, creep out, freak out,
    petrified, claustrophobia, arachnophobia, scare, scary
spider = spider, arachnophobia
heights = heights, acrophobia, vertigo
hobby = hobby, pastime, free time, spare time, for fun, leisure, unwind, relax, weekend, outside
    work, interest, day off, in my time off, passion, switch off > HOBBIES, sport, instrument,
    game, collect
craft = craft, handicraft, make by hand > pottery, knitting, crochet, sewing, quilting,
    woodworking, embroidery, weaving, origami, carpentry, calligraphy, ceramics, jewellery,
    bookbinding, leatherwork, glassblowing, printmaking, macrame, felting, carving, soap making,
    candle making
pottery = pottery, ceramics, throw pots, clay
art = art, artist, draw, drawing, paint, painting, sketch, sketching, watercolour, watercolor,
    printmaking, sculpt
sport = sport, exercise, work out, workout, athletic, fit, fitness, active, gym, keep in shape >
    tennis, football, soccer, basketball, volleyball, rugby, cricket, hockey, golf, badminton,
    squash, table tennis, ping pong, swim, run, jog, cycle, climb, bouldering, hike, ski,
    snowboard, skate, surf, kayak, row, sail, yoga, pilates, boxing, judo, karate, taekwondo,
    fencing, archery, gymnastics, dance, ballet, crossfit, marathon, triathlon, padel, handball,
    diving, scuba, horse riding, martial art, parkour, weightlifting, lift weights, half marathon,
    curling, lacrosse, netball, softball, baseball
race = race, competition, event > marathon, half marathon, triathlon, ironman, ultramarathon, 10k,
    5k, tournament
run = run, jog, runner > marathon, half marathon, 10k, 5k, parkrun, ultramarathon
bicycle = bike, bicycle, cycle, two wheeler, cyclist > gravel bike, road bike, mountain bike, e
    bike, ebike, brompton, cargo bike, racing bike
climb = climb, climbing, bouldering, climber
hike = hike, hiking, trek, walk in the mountains, trail, ramble
swim = swim, swimming, lengths, laps
gym = gym, work out, workout, weights, fitness studio
yoga = yoga, pilates
dance = dance, dancing > salsa, tango, ballet, swing, ballroom, lindy hop, bachata, flamenco
club = club, team, group, choir, band, orchestra, member, association, society, belong, league,
    side > support, root for, cheer for, footballteam
footballteam = basketball team, baseball team, rugby team, ice hockey team, sports team, football
    club, football team, soccer team, hockey team > support, root for,
    cheer for, supporter
instrument = instrument, play music, musical instrument > cellist, pianist, violinist, drummer,
    guitarist, flautist, organist, trumpeter, saxophonist, bassist, harpist, clarinettist, piano,
    guitar, violin, cello, viola,
    flute, clarinet, saxophone, sax, trumpet, trombone, drums, drum, play bass, bass guitar,
    double bass, harp, accordion, ukulele, banjo, oboe, bassoon, horn, french horn, organ,
    keyboard, harmonica, mandolin, recorder, bagpipe, tuba, synth, sitar, lute, xylophone,
    marimba, theremin
music = music, song, band, album, listen, tune, playlist, genre, musical, musician, concert,
    artist, gig > jazz, rock, pop, classical, techno, metal, hip hop, rap, blues, folk, reggae,
    opera, indie, punk, soul, funk, country music, bossa nova, fado, k pop, bach, mozart,
    beethoven, radiohead, beatles
sing = sing, singer, choir, vocals, singing, voice, soprano, alto, tenor, baritone
band = band, group, musicians, orchestra
author = author, writer, novelist
book = book, novel, read, literature, story, reading > sci fi, science fiction, thriller, memoir,
    poetry, crime novel, fantasy novel, kindle, audiobook, biography
film = film, movie, cinema, director, watch > western, romcom, horror film, documentary, pixar
series = series, show, tv, television, binge, watch, sitcom, episode, soap > netflix
game = game, gaming, play, board game, video game, gamer > chess, poker, minecraft, zelda, catan,
    scrabble, mahjong, dungeons and dragons, sudoku, crossword, backgammon, tetris, fifa, elden
    ring, stardew valley, playstation, nintendo, xbox
collect = collect, collection, collector
podcast = podcast
newspaper = newspaper, magazine, subscribe, subscription
garden = garden, plot, gardening, allotment, grow, plant, balcony, vegetable patch
photo = photo, photography, photograph, camera
colour = colour, color, shade, paint > red, blue, green, yellow, orange, purple, pink, black,
    white, grey, gray, brown, teal, turquoise, navy, burgundy, maroon, beige, gold, silver,
    violet, lilac, indigo, amber, emerald, crimson, magenta, cyan, lavender, scarlet, khaki,
    charcoal, ochre, cobalt, peach
season = season, time of year > spring, summer, autumn, fall, winter
flower = flower, blossom, plant > rose, tulip, peony, lily, orchid, daisy, sunflower, dahlia,
    iris, lavender, daffodil, hydrangea, lilac, snowdrop, carnation, poppy
number = number, digit
summer = summer > june, july, august
winter = winter > december, january, february
spring = spring > march, april, may
autumn = autumn, fall > september, october, november
weather = weather, climate > thunderstorm, rain, snow, sunshine, fog, storm, heat
"""

FOODS = """pizza, pasta, sushi, ramen, curry, burger, salad, soup, bread, rice, noodle, sandwich,
    taco,
burrito, lasagne, lasagna, risotto, dumpling, gnocchi, paella, steak, schnitzel, stew, chili, pho,
    pad
thai, falafel, hummus, kebab, pancake, omelette, egg, cheese, porridge, muesli, cereal, toast,
    chocolate,
ice cream, cake, cookie, crisps, chips, fries, pie, meat, seafood, nut, tofu, kimchi, liver,
    marzipan,
liquorice, licorice, bibimbap, carbonara, ratatouille, moussaka, tapas, dim sum, pierogi, goulash,
fondue, raclette, quiche, honey, jam, marmite, mayonnaise, ketchup, olive, mushroom, couscous,
    polenta, dumplings, empanada, shakshuka, ceviche, gazpacho, borscht, spaetzle, strudel, crepe,
    waffle, pudding, casserole, meatball, lobster, gumbo, jambalaya, tamale, enchilada, satay,
    laksa, okonomiyaki, tempura, udon, gyoza, souvlaki, gyros, baklava, italian food, thai
food, indian food, mexican food, tagine, biryani, lentil, dal, bagel, croissant, banana bread,
    granola,
spaghetti, dessert, herb, gluten, dairy, sesame, soy, mustard, shellfish"""

HOBBIES = """pottery, knitting, knit, crochet, sewing, sew, quilting, woodworking, gardening,
    photography,
birdwatching, bird watching, chess, reading, painting, drawing, sketching, cooking, baking, hiking,
climbing, bouldering, cycling, fishing, camping, sailing, surfing, skiing, yoga, dancing, singing,
calligraphy, origami, astronomy, stargazing, gaming, board game, puzzle, crossword, geocaching,
    model
train, beekeeping, foraging, brewing, writing, poetry, blogging, volunteering, birding,
    watercolour,
embroidery, ceramics, metal detecting, genealogy, improv, theatre, choir, parkour, juggling,
    karaoke,
archery, kite, drone, diy, restoring, mushroom picking, scuba diving, paragliding, magic tricks"""
