"""Everyday verbs and the other ways to say them.

A line reads `concept = words that mean it > words that are a kind of it, or imply it`.
"""

ACTIONS = """
sit = sit, seat, seated, be seated
cover_ = cover for, covers for, fill in, fills in, stand in, stands in, step in, substitute,
    deputise, take over, replace
repair = repair, fix, mend, restore, do up, service, tinker
carry = carry, bring along, have with me, have on me
wait = wait, waiting list, queue, in line
reach = reach, contact, get hold of, get in touch
whistle = whistle, sing
talk = talk, speak, chat, discuss, discussion
suggest = suggest, recommend, advise, recommendation, advice, tip
invite = invite, invitation, guest
wash = wash, laundry, clean
clean = clean, tidy, hoover, vacuum
breakdown = break down, broke down, stop working, stopped working, out of order, faulty
deliver = deliver, delivery, parcel, package, courier
return_ = return, give back, take back, bring back
borrow = borrow, lend, loan, owe
owe = owe, debt
dream = dream, aspire, want to become, wants to become, want to be, wants to be, hope to become
become = become, turn into, training to be, train to be, study to become, study to be, training
    as, train as, training to become, qualify as
retake = retake, resit, repeat, take again
fail = fail, flunk
pass = pass, succeed
apply = apply, application, candidate
resign = resign, quit, hand in my notice, leave my job, give notice
hire = hire, recruit, take on
sack = sack, fire, lay off, laid off, redundant, lose my job
study_ = study, revise, cram
write_ = write, journal, diary, journaling, blog
listen = listen, hear
watch_ = watch, see, view
pray = pray, church, mosque, temple, synagogue
meditate = meditate, meditation, mindfulness
walk = walk, stroll, hike, on foot
stretch = stretch, yoga
laugh = laugh, funny, joke
cry = cry, tears
argue = argue, quarrel, fight, row
miss = miss, homesick
move_ = move out, move in, moving
adopt = adopt, rescue, foster
feed = feed, eat
groom = groom, brush
train_ = train, practise, practice, coach
compete = compete, competition, tournament, match, championship
perform = perform, performance, play, concert, gig, show, recital
exhibit = exhibit, exhibition, gallery
publish = publish, publication
invest = invest, shares, stocks, fund
insure = insure, insurance
vaccinate = vaccinate, vaccination, jab, shot, booster
heal = heal, recover, recovery, rehab
faint = faint, pass out
snore = snore
itch = itch, rash
see_ = see, visit, check up, appointment
business = business, shop, store, company, enterprise, outlet > bakery, guesthouse, restaurant,
    cafe, café, bar, salon, boutique, bookshop, startup, farm, brewery, winery, hotel, agency,
    gallery, florist, garage, pharmacy, vineyard, orchard, nursery, practice, workshop, shop,
    store, kiosk, pub, gym
repairs = workshop, garage
shop = shop, shopping, groceries, supermarket, market
order_ = order, buy
belong_ = belong, own, property
decorate = decorate, decoration
plant_ = plant, grow, sow
harvest = harvest, pick
borrowbook = library
tell_ = tell, inform
prefer_ = prefer, would rather, rather, like better, preference
avoid_ = avoid, do not eat, does not eat, do not drink, stay away from, steer clear, can not have,
    off limits, never eat, not eat, must not eat
switchoff = unwind, relax, switch off, wind down, calm down, de stress, destress, chill, recharge
wakeup = get up, wake up, rise
sleepin = sleep in, lie in
give_ = give, gift, present
celebrate = celebrate, party, mark
grow_ = grow up, raise
lookfor = look for, search for, hunt for, looking for, in search of
cope = struggle, difficulty, trouble
allotment_ = plot, plot of land, allotment, garden
locate = find, located, be kept, keep, store, hide, stash, live, lie
supervise = supervise, oversee, in charge of, head, lead, run, manage
found_ = found, set up, start up, establish, open, launch, co found
sponsor = sponsor, donate, support
support_ = support, root for, cheer for, fan of, follow > supporter
expect_ = expect, expecting
share_ = share, split, live with
attend = attend, go to, goes to, visit
supplement = supplement > vitamin, magnesium, iron tablet, zinc, omega, protein powder, creatine
tax = tax > accountant
document = document, paper, paperwork, file, certificate
tradesman = engineer, technician, man, guy, fitter, repairman, contractor
die = die, death, dead, pass away, passed away, late, lose
call_ = i phone, i ring, give a call, calls her, calls him, calls them, call her, call
    him, call them, phone call
badat = bad at, not good with, trouble with, bad with, can not handle, difficulty with, struggle
    with,  rubbish at, terrible at, hopeless at, no good at, weak in, weak at, not good at,
    useless at
goodat = good at, talented at, great at, excel, skilled, gifted
famous = famous, celebrity, star, well known
fallasleep = fall asleep, get to sleep, sleep
stopdoing = stop, quit, give up, end, no longer
"""
