"""Everyday words about possessions, places, plans, time and figures.

A line reads `concept = words that mean it > words that are a kind of it, or imply it`.
"""

THINGS = """
ride_ = ride > bicycle, motorbike, horse, pony, scooter
drive_ = drive > car, motorbike, van, truck
car = car, vehicle, automobile, wheels, motor, set of wheels > CARS, van, suv, estate car,
    hatchback, convertible, electric car, camper, pickup, camper van
motorbike = motorbike, motorcycle, scooter, moped > vespa, harley, ducati, triumph
vehicle = vehicle, transport > car, bicycle, motorbike, van, boat
boat = boat, ship, yacht, sailboat, dinghy, vessel, narrowboat, canoe
commute = commute, get to work, go to work, way to work, travel to work, to the office, get to the
    office, commuting, journey to work > cycle to work, bike to work, walk to work, drive to work,
    train to work, bus to work
transport = transport, mode of transport, travel by > bus, train, tram, metro, subway,
    underground, tube, ferry, taxi, bicycle, car, scooter, walk, on foot
phone = phone, mobile, cell, smartphone, handset, telephone > iphone, pixel, galaxy, fairphone,
    nokia, samsung, android
phonenumber = phone number, mobile number, telephone number, reach by phone
computer = computer, laptop, pc, machine, desktop > macbook, thinkpad, chromebook, mac, imac,
    dell, lenovo
os = operating system > linux, windows, macos, ubuntu, debian, fedora
codelanguage = programming language, code in, program in, programming > python, rust, java,
    javascript, typescript, golang, ruby, haskell, kotlin, swift, php, scala, clojure, elixir,
    cobol, fortran
camera = camera > leica, canon, nikon, fujifilm
watch = wristwatch
code = code, pin, combination, passcode, password, secret, combo, unlock, keycode, open, entry
    code, door code
password = password, passphrase, passcode, login, key
wifi = wifi, wi fi, wireless, internet, router, network
alarm = alarm, alarm system, security system
locker = locker
safe = safe, strongbox, vault
plate = registration number of my car, number of my car, car registration, car plate, licence
    plate, license plate, number plate, registration, plate, registration number
id = id, id number, passport number, student number, staff number, matriculation number, id
    number, membership number, account number, card number, reference number, customer number,
    policy number, booking reference, reservation number, member number, confirmation number,
    booking code
membership = membership, member
email = email, e mail, mail address, email address
website = website, blog, homepage, site, url
account = account, username, handle, user name
insurance = insurance, insurer, insured, insure, policy, cover
bank = bank, bank account
key = key, spare key
hide = hide, keep, store, put, stash, hang, find, lie, located, kept, tuck, leave
parking = park, parking, parking spot, parking space
room = room, office, desk, floor, bedroom
desk = desk, workspace, workplace, sit
gift = gift, present, give
plantpot = houseplant, potted plant, monstera, ficus, cactus
furniture = furniture, sofa, couch, table, shelf
travel = travel, trip, holiday, vacation, fly, flight, visit, journey, getaway, tour, head to, off
    to, destination, honeymoon, abroad, backpack, city break, weekend away, where next > cruise,
    safari, road trip, retreat, pilgrimage, interrail, camping, ski trip
flight = flight, fly, plane, airline, airport, take off, depart
hotel = hotel, hostel, accommodation, airbnb, stay, guesthouse, lodge, b&b
train = train, rail, railway
arrive = arrive, come to, move to, move here, move there, arrival, land, get in, come, visit, show
    up
leave = leave, depart, departure, set off, head off
visit = visit, see, come, stay with
move = move, relocate, moving, relocation, resettle
wedding = wedding, get married, getting married, tie the knot, ceremony, bride, groom
anniversary = anniversary, wedding anniversary
party = party, celebration, celebrate, bash
concert = concert, gig, show, festival
appointment = appointment, see the doctor, check up, checkup, consultation, slot, booked in
meeting = meeting, meet, call, catch up, stand up, sync
deadline = deadline, due, hand in, submit, due date, submission
event = event, conference, talk, presentation, ceremony
book_ = i book, we book, booking, reservation, book, reserve
goal = thinking of, thinking about, considering, toying with, goal, aim, target, ambition,
    aspiration, resolution, objective, want to, hope to, would
    like to, would love to, plan, dream, working towards, want, aspire, intend, bucket list, wish,
    looking to, one day, working on, trying to, saving for, saving up, learning to, save for >
    train for, prepare for
prepare = prepare, preparing, prepare for, train for, training for, practise, practice, get ready
    for, training, working towards
save = save, saving, put aside, put money aside, save up, savings, set aside, putting money aside,
    afford
budget = budget, cost, price, spend, pay, expensive, cheap
rent = rent, rental, pay for the flat, monthly rent, lease, tenant
mortgage = mortgage, home loan
money = money, euro, dollar, pound, cash, currency > salary, rent, budget, cost, price, tax,
    mortgage
debt = debt, owe, loan, lend, borrow
buy = buy, purchase, get, acquire, pick up, order
sell = sell, trade in, get rid of
own = own, have, possess, belong
renovate = renovate, renovation, redo, refurbish, remodel, do up, redecorate, rebuild
build = build, make, construct, assemble, restore, project
project = project, working on, side project, build
play_ = play > learning, lessons, take up, practise, member of, drummer, guitarist, pianist,
    violinist, cellist
learn = learn, learning, study, lessons, teach myself, pick up, practise
habit = habit, routine, ritual, every morning, every day, every evening, daily, each day, every
    night, always, regularly, every week, tradition
morning = morning, breakfast time, before work, start the day, first thing, start of the day,
    begin the day
evening = evening, night, after work, tonight
weekend = weekend, saturday, sunday
weekly = week, weekly, every week > monday, tuesday, wednesday, thursday, friday, saturday, sunday
often = often, frequency, frequently, times a week, times a month, every day, every week, once a
    week, twice a week, daily, weekly, monthly
start = start, begin, commence, first day, kick off, launch
end = end, finish, complete, stop, expire, run out, over, last day, quit, give up
open_ = opening hours, open
close_ = close, shut
drop = drop off
collectkids = pick up, collect, fetch
meet = meet, met, get to know, first meet, get together
sundry = stuff
help = help, assist
look = look after, take care of, feed, water, mind
pickup = pick
join = join, sign up, become a member, enrol
lucky = lucky
motto = motto, mantra, saying, quote
superstition = superstitious
donate = donate, donor, blood donor, give blood
vote = vote
win = win, prize, award, medal, trophy, won
lose = lose, lost, misplace
break_ = break, broken
wear = wear, wearing, clothes
beach = beach, sea, coast, seaside, ocean
mountain = mountain, alps, peak, summit
lake = lake
forest = forest, woods
park = park
heating = boiler, heating, heater
doorbell = doorbell
bin = bin day, rubbish collection, rubbish collect, garbage collection, garbage collect, trash
    collect, bin, rubbish, garbage, trash, recycling
filter = filter
plan = plan, planning
surprise = surprise
time = time, o'clock, hour
date = date, day
feast = feast, public holiday > easter, christmas, halloween, thanksgiving, pentecost, ramadan,
    hanukkah, diwali, eid, passover, carnival
year = year
month = month > january, february, march, april, may, june, july, august, september, october,
    november, december
day = day > monday, tuesday, wednesday, thursday, friday, saturday, sunday
direction = direction
brand = brand, make, model > CARS, iphone, pixel, galaxy, fairphone, macbook, thinkpad, samsung,
    canon, nikon, fujifilm, leica, trek, canyon, brompton, nokia, dell, lenovo, yamaha, fender,
    gibson, steinway
material = material, fabric > wool, cotton, leather, linen, silk
"""

CARS = """skoda, toyota, honda, volvo, bmw, audi, mercedes, volkswagen, vw, ford, fiat,
panda, renault, clio, peugeot, citroen, kia, hyundai, nissan, mazda, subaru, tesla, jeep,
land rover, opel, corsa, vauxhall, dacia, suzuki, mitsubishi, lexus, porsche, chevrolet, octavia,
    fabia,
corolla, yaris, prius, civic, saab, alfa romeo, mg, cupra"""
