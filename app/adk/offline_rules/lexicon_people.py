"""Everyday words about people, animals and work.

A line reads `concept = words that mean it > words that are a kind of it, or imply it`.
"""

PEOPLE = """
name = first name, full name, last name, real name, given name, name, call, named, surname, known
    as > nickname
nickname = nickname, call me, go by, short for
mother = mother, mum, mom, mama, mam, mommy
father = father, dad, daddy, papa
parent = parent, folks, mum and dad, mom and dad > mother, father
sister = sister, sis > twin sister
brother = brother, bro > twin brother
sibling = sibling > sister, brother, twin
son = son > stepson
daughter = daughter > stepdaughter
child = child, kid, children, offspring > son, daughter, baby, toddler, little one, boy, girl
baby = baby, newborn, infant
grandmother = grandmother, grandma, gran, granny, nana, nan
grandfather = grandfather, grandpa, granddad, grandad, gramps
grandparent = grandparent > grandmother, grandfather
grandchild = grandchild, grandkid > grandson, granddaughter
aunt = aunt, auntie, aunty
uncle = uncle
cousin = cousin
nephew = nephew
niece = niece
godchild = godchild > godson, goddaughter
wife = wife, missus
husband = husband, hubby
girlfriend = girlfriend
boyfriend = boyfriend
fiance = fiance, fiancé, fiancée, fiancee, engaged to
partner = partner, spouse, significant other, better half, other half, married to, marry, dating,
    going out with, in a relationship > wife, husband, girlfriend, boyfriend, fiance
inlaw = in law
motherinlaw = mother in law
fatherinlaw = father in law
sisterinlaw = sister in law
brotherinlaw = brother in law
relative = relative, family, relation > parent, sibling, child, grandparent, grandchild, aunt,
    uncle, cousin, nephew, niece, partner, inlaw, motherinlaw, fatherinlaw, sisterinlaw,
    brotherinlaw, godchild
bestfriend = best friend, closest friend, best mate, best buddy, best pal
friend = friend, mate, buddy, pal, bestie, bff > bestfriend
colleague = colleague, coworker, co worker, teammate, workmate, work with
boss = boss, manager, supervisor, line manager, report to, team lead, superior
flatmate = flatmate, roommate, housemate, share a flat, share a house, share an apartment, live
    with
neighbour = neighbour, neighbor, next door
landlord = landlord, landlady, rent from
doctor = doctor, gp, physician
dentist = dentist
tooth = tooth > dentist
therapist = therapist, physio, physiotherapist, psychologist, counsellor, shrink
vet = vet, veterinarian, veterinary
teacher = teacher, tutor, instructor
coach = coach, trainer
mentor = mentor
client = client, customer
hairdresser = hairdresser, barber, stylist
babysitter = babysitter, nanny, childminder, sitter
cleaner = cleaner, housekeeper
accountant = accountant, tax adviser
lawyer = lawyer, solicitor, attorney
mechanic = mechanic, garage
plumber = plumber
electrician = electrician
crush = crush
ex = ex
hero = hero, idol
person = person, people, human, someone, guy, lady, fellow, folk > relative, friend, colleague,
    boss, flatmate, neighbour, landlord, doctor, dentist, therapist, vet, teacher, coach, mentor,
    client, hairdresser, babysitter, cleaner, accountant, lawyer, mechanic, plumber, electrician,
    crush, ex, principal, headteacher, headmaster, headmistress, professor, pastor, priest, imam,
    rabbi, counselor, optician, pharmacist, realtor, apprentice, assistant, trainee, pupil,
    godmother, godfather
dog = dog, puppy, pup, pooch, hound, mutt > greyhound, labrador, lab, beagle, poodle, terrier,
    retriever, golden retriever, dachshund, corgi, collie, border collie, spaniel, husky, pug,
    bulldog, whippet, boxer, rottweiler, dalmatian, german shepherd, schnauzer, chihuahua,
    labradoodle, cockapoo, setter, pointer, mastiff, malinois, samoyed, akita, shiba, walk the
    dog, pit bull, great dane, st bernard, bernese, doberman, pomeranian, shih tzu, yorkie,
    maltese, vizsla, weimaraner, newfoundland, basset, bloodhound, cavalier, westie, jack
    russell, shepherd, leonberger, havanese, cockapoo
cat = cat, kitten, kitty, tomcat, feline > siamese, tabby, persian, maine coon, ragdoll, bengal,
    ginger cat, calico, sphynx
animal = animal > pet
breed = breed, race > greyhound, labrador, lab, beagle, poodle, terrier, retriever, golden
    retriever, dachshund, corgi, collie, border collie, spaniel, husky, pug, bulldog, whippet,
    boxer, rottweiler, dalmatian, german shepherd, schnauzer, chihuahua, labradoodle, cockapoo,
    setter, mastiff, malinois, samoyed, akita, shiba, siamese, tabby, persian, maine coon,
    ragdoll, bengal, sphynx, mix, mixed, mongrel, crossbreed, mutt, pit bull, great dane, st
    bernard, bernese, doberman, pomeranian, shih tzu, yorkie, maltese, vizsla, weimaraner,
    newfoundland, basset, bloodhound, cavalier, westie, jack russell, shepherd, leonberger,
    havanese, cockapoo, burmese, birman, abyssinian, russian blue, shorthair
bird = bird > parrot, budgie, canary, cockatiel, parakeet, cockatoo, chicken, hen, duck, goose,
    pigeon
pet = pet, furry, four legged > dog, cat, hamster, guinea pig, rabbit, bunny, tortoise, turtle,
    goldfish, fish, snake, lizard, gecko, bird, parrot, budgie, canary, cockatiel, parakeet,
    ferret, rat, gerbil, pony, horse, goat, hen, donkey, mare, foal
single = single > divorced, widowed, separated
maritalstatus = marital, relationship status, marry > single, divorced, widowed, marry, engaged,
    partner
age = age, old, years old, year old, aged, turn
birthday = birthday, bday, born, date of birth, birth
origin = origin, hometown, home town, come from, am from, is from, are from, originally from,
    originally, grow up, raise, native, roots, brought up, upbringing > born, birthplace, come to,
    childhood
childhood = childhood, youth, as a kid, as a child, was a kid, was a child, when i was little,
    were a kid, were a child > grow up, raise, brought up
nationality = nationality, citizen, citizenship, passport country > german, french, spanish,
    italian, portuguese, dutch, polish, austrian, swiss, greek, turkish, irish, scottish, british,
    english, american, canadian, mexican, brazilian, indian, chinese, japanese, korean, swedish,
    norwegian, danish, finnish, russian, ukrainian, czech, hungarian, romanian, argentinian,
    nigerian, kenyan, australian, croatian, serbian, slovak, slovenian, belgian
religion = religion, faith, religious, believe in, worship > catholic, christian, muslim, jewish,
    buddhist, hindu, atheist, protestant, quaker, agnostic, orthodox, sikh
zodiac = zodiac, star sign, sign, horoscope, astrological > aries, taurus, gemini, leo, virgo,
    libra, scorpio, sagittarius, capricorn, aquarius, pisces
home = home, live, reside, residence, dwell, based, settle, address, stay > studio flat, cottage,
    houseboat, bungalow, loft, attic flat, move
housing = flat, apartment, house, place, our place, my place > home, studio flat, cottage,
    houseboat, bungalow, loft, attic flat, bedroom, terrace
town = city, town, village, place > capital
street = street, road, avenue, lane, address, square
country = country, nation, abroad
job = job, profession, work as, work for, work at, work in, for work, my work, what work, works
    as, kind of work, occupation, career, role, position, trade, day job, job title, earn a
    living, earn my living, for a living, make a living, line of work, earn money, pay the bills,
    livelihood > JOBS
employer = employer, company, firm, workplace, organisation, organization, work for, work at,
    workplace, employ > join, hospital, bakery, startup, start up, agency, bank, university,
    school, clinic, studio, factory, lab, laboratory, museum, restaurant, ministry, library,
    council, office, practice
team = team, department, unit, squad, group
promotion = promotion, promote, promoted
retire = stop working, retire, retirement, pension, retired
salary = salary, wage, earn, pay, income, paid
colleagueship = work together
freelance = freelance, freelancer, self employed, own business, run my own, contractor
work = work > job, employer
startjob = start, begin, new job, first day, join
interview = interview, job interview
study = study, degree, major, course, enrol, student, bachelor, master, phd, thesis,
    graduate, doctorate, diploma, major in, go to university, go to uni, go to college
school = school, academy, kindergarten, nursery, high school
university = university, college, uni, campus, alma mater > study, degree, student
subject = subject > chemistry, physics, biology, maths, mathematics, history, geography,
    philosophy, economics, literature, law, medicine, psychology, sociology, linguistics,
    engineering, art, music, computer science, informatics, politics, astronomy, theology
thesis = thesis, dissertation
exam = exam, test, finals
class = class, lesson, course, workshop
volunteer = volunteer, volunteering, unpaid, charity, help out > shelter, soup kitchen, food bank,
    red cross
language = language, speak, fluent, tongue, mother tongue, bilingual > LANGUAGES
"""

JOBS = """mailman, principal, headteacher, nurse, teacher, engineer, doctor, surgeon, pilot,
    baker, chef, cook, carpenter,
    electrician,
plumber, lawyer, accountant, architect, designer, developer, programmer, coder, software engineer,
data scientist, analyst, consultant, journalist, writer, editor, translator, interpreter,
    librarian,
pharmacist, dentist, vet, veterinarian, midwife, paramedic, firefighter, police officer, detective,
soldier, farmer, gardener, florist, barista, waiter, waitress, bartender, cashier, salesperson,
    sales,
marketing, accounting, driver, bus driver, taxi driver, truck driver, mechanic, photographer,
    painter,
musician, actor, actress, dancer, singer, professor, lecturer, researcher, scientist, biologist,
chemist, physicist, geologist, historian, economist, psychologist, therapist, physiotherapist,
    coach,
hairdresser, barber, tailor, butcher, fisherman, sailor, captain, postman, postwoman, mail carrier,
secretary, receptionist, assistant, manager, director, ceo, cto, founder, entrepreneur, social
    worker,
civil servant, judge, politician, diplomat, priest, pastor, banker, broker, insurance, estate
    agent,
real estate, technician, welder, builder, bricklayer, roofer, glazier, blacksmith, locksmith,
    optician,
surveyor, statistician, mathematician, astronomer, archaeologist, curator, conductor, composer,
    producer,
stewardess, flight attendant, cabin crew, tram driver, train driver, product manager, project
    manager,
hr, recruiter, copywriter, illustrator, animator, beekeeper, brewer, winemaker, sommelier,
    cartographer,
radiologist, cardiologist, paediatrician, pediatrician, anaesthetist, speech therapist, tour guide,
security guard, caretaker, janitor, cleaner, nanny, apprentice, trainee, teach, freelance, self
    employed,
maker, builder, dealer, worker, operator, officer, agent, specialist, inspector, coordinator,
    administrator, adviser, advisor, planner, instructor, restorer, tuner, bookkeeper, goldsmith,
    watchmaker, potter, luthier, upholsterer, ux, tester, sysadmin, barrister, stay at home,
    homemaker, housewife, househusband, unemployed, retired, student"""

LANGUAGES = """german, french, spanish, italian, portuguese, dutch, polish, english, greek,
    turkish,
arabic, hebrew, russian, ukrainian, chinese, mandarin, cantonese, japanese, korean, hindi, urdu,
bengali, swedish, norwegian, danish, finnish, icelandic, czech, slovak, hungarian, romanian,
bulgarian, croatian, serbian, slovenian, welsh, irish, gaelic, catalan, basque, latin, swahili,
vietnamese, thai, indonesian, malay, persian, farsi, esperanto, sign language, tagalog, albanian,
estonian, latvian, lithuanian, afrikaans, yoruba, amharic, georgian, armenian, braille"""
