/**
 * Well-known passwords and the words that they are made of (most of them from the frequency list of zxcvbn, MIT): a
 * password that is one of them, with whatever digits and signs around, is refused.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  1232323q 1234567890q 123456789a 123456789q 1234567a 1234567q 123456aa 1234abcd 1234qwer 123qwe123 1a2b3c4d 1q2w3e4r
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 8j4ye3uz a1234567 a1b2c3d4 a1s2d3f4 aardvark
  abcd1234 abcd1234efgh abcdefghijkl abcdefghijklmnop abgrtyu abuja access accord achilles action adgjmptw adidas
  admin administrador administrator aezakmi agent aggies airborne airforce airplane airtime airtimedata alabama
  alaska alejandr aleksandr alexande alexandr alexis aliens alpha alpine amadeus amateur amazon amber america
  amsterdam anakin anarchy andrei andrew andrey angel angels animal anime anthony anubis apache apollo apple apples
  aquarius aragorn arizona arsenal arsenalfc asdasd asdf1234 asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl
  asdfghjklzxcvbnm asdzxc aspirine asterix astros atlanta atlantis atomic auburn aussie austin avalon avatar avenger
  awesome azamat azerty babes babydoll babygirl babylon badboy badger baggins baller bambam banana bananas bandit
  bangkok banshee barbie barcelon barcelona barkley barney baseball basket basketba bassman batman beagle beast
  beatles beauty beavis beckham beefcake beetle berlin bigboy bigdaddy bigdog bigfoot biggie bigguy bigmac bigman
  bigone bigred billybob bingo birdie birdman biscuit biteme blabla black blackcat blackdog blackie blackjac blacks
  blacky blade blades blahblah blaster blazer blessed blink blizzard blonde blondes blondie bluebird blueeyes
  bluemoon blues bluesky bobafett bobcat boeing bohica bollocks bollox bomber bondage bonehead boner bones bonjour
  boogie boomer bosco bossman boston bowler bowling brando brandon brandy brasil braves brazil breeze britney bronco
  broncos brooklyn brownie browns brucelee bruins brutus bubba bubble bubbles buckeye buckeyes buddha buddy budlight
  budman buffalo buffett bugger bulldog bulldogs bullet bunghole bunny burger business buster butter butterfl
  butterfly butthole buttons byteme cactus cadillac caesar caliente californ camaro camel camelot camels cameron
  canada cancer candyman cantona captain cardinal carolina carpet carrot cartman caserta casino casper cassie catch
  catdog catfish catherin cavalier cdtnkfyf celica celine celtic celtics cessna champion champs changeme changethis
  chaos charger chargers charlie charlott charly charmed cheese chelsea chelseafc cherokee cherry chester chevelle
  chevrole chevy cheyenne chicago chichi chicken chicks chiefs chipper chocolat chopper chris chrissy christ christia
  christin christop chronic chubby chucky cjkysirj cjkywt clancy classic clitoris clover cobra cocacola coffee
  colombia colorado colors coltrane commando companyname compaq computer concrete condor connect connor consumer
  cookie cookies cooldude cooler coolio copper corona correcthorsebatterystaple corvette cosmos cosworth cougar
  cowboy cowboys coyote cracker creampie creative cricket crimson crusader cthutq cuddles curious cxfcnmt dagger
  dakota dallas dancer danger daniel daniil danni dannyboy darkness darkside darkstar david daytona dbrnjhbz deadhead
  defaultpassword defender defiant deftones delete delta desert desire destiny detroit devil devildog devils dexter
  dfvgbh diablo diamond diamonds diesel dietcoke digger digital dilbert dilligaf dingdong discover disney dispense
  dkflbvbh doberman doctor dodger dodgeram dodgers doggie doggy dollar dolphin dolphins domino donkey doodle dookie
  doughboy drago dragon dragons dreamer dreams driver drizzt drowssap drpepper drummer dublin ducati durango eagle
  eagles eatme eclipse eduard einstein ekaterina electric element elephant elizabet elvis emerald eminem empire
  engineer enigma enter enterpri escort eternity everton exigen exigent explorer express extreme falcon falcons
  fallen fantasy farside faster fatboy fatcat fatman fender ferrari ferret ficken fighter finger fireball firebird
  firefly fireman fishing fitness fktrcfylh fktrctq flames flash flatron flipper florida flower fluffy flyboy flyers
  foobar football forest forever formula fossil foxtrot frank franky freaky freckles freddy freedom freeuser friday
  frogger froggy front frontier frosty funtime fusion fyfcnfcbz fylhtq galaxy galina galore gambit gandalf gangbang
  gangsta gangster garden garfield gateway gator gators geheim gemini genesis genius geronimo getsome gfhjkm ghbdtn
  ghbdtnbr ghjcnj ghost giants ginger girls gizmo gizmodo gjkbyf gn56gn56 goblin goblue goddess godisgood godsmack
  godzilla goforit golden goldfish golfball golfer golfing goober goodluck goodtime google goose gorilla gotcha
  gothic granny green greenday gremlin grendel griffey grizzly groovy guardian guinness guitar gundam gunner hacker
  halflife hallo hamburg hamlet hammer hamster hannah hannibal hansolo happy hardon harley hawaii hawkeye hearts
  heather heaven hellfire hello helpme hendrix herbie hercules hermes hershey hesoyam hidden highland hiphop hitman
  hjvfirf hobbes hobbit hockey holiday hollywoo homer homers homerun honda hongkong hooker horndog hornet horney
  horse horses hotboy hotdog hotrod hotstuff hottie hummer hunter hunting husker huskers ibanez icecream iceman
  iforgot iguana ihateyou iloveu iloveyou iloveyouso immortal impala incubus indiana indians indigo inferno infiniti
  infinity insane integra internet intrepid irina ironman italia ivanov iverson iwantu jackal jackoff jackson jaguar
  jamaica james jammer jasmine jason jasper jericho jessica jester jesus jesuschrist jesusislord jimbo jimbob jimmy
  joker jordan jrcfyf juice jumper jungle junior jupiter justdoit justice justme juventus kaktus kangaroo kansas
  karate karina kasper katana katerina katrin kawasaki keeper kenwood kevin keyboard kicker killer kingkong kingpin
  kingston kirill kisses kissme kitkat kitten kitty kittycat klaster knicks knights kodiak kolobok kotenok krishna
  labrador labtec lacrosse ladybug lagos laguna lakers lancer larisa lasvegas latino leather ledzep legacy legend
  legion legolas lennon leopard lestat letmein letmeinnow letsgo lexmark liberty lifehack lightnin lights liquid
  liverpoo liverpool lizard lobster logitech lollipop lollol london lonestar lonewolf longhorn looker loser loveit
  lovely loveme lover loverboy lovers loveyou lowrider lucifer lucky luckydog lvbnhbq machine maddie maddog madison
  madman madmax madness madonna maestro maggie magic magnum magnus maiden mailcreated makaveli maksim malibu mallard
  manchester manchesterunited mandingo maniac manson manutd marathon marina marine mariners marines marino marlboro
  marley martini maryjane massive master matrix matthew mature maverick maxima maximus maxwell megadeth megaman
  memphis mercedes merchant mercury meridian merlin mersedes metallic metallica mexico miami michael michigan mickey
  microsoft midnight mikey milano minecraft mirage mister mistress mnbvcxz mobilemoney molly moloko molson monday
  money moneys mongoose monitor monkey monkeys monopoly monster montana montreal mookie moomoo moose morpheus moscow
  mother motorola mountain mouse mozart muffin mulder munchkin muppet muscle mushroom musicman mustang mustangs
  mylove mypassword mystic naija naruto nascar natali natasha naughty ncc1701a ncc1701d ncc1701e nebraska nemesis
  neptune nevada newlife newpassword newport newyork nfnmzyf nicola nigeria nigerian nikita nimrod niners ninja
  nintendo nirvana nissan nokia nolimit noodles nookie nugget nuttertools nylons nymets oakland obasanjo obiwan
  oblivion ohyeah oksana oldman oliver omega onelove online openup oracle orange orion oscar osiris outlaw overlord
  oxford pa55w0rd pa55word packard packers pacman pakistan paladin panama panasonic pancho panda pandora pantera
  panther panthers panzer paradise paradox parola parrot pascal passat passion passphrase passport passw0rd passwor
  password passwordpassword patches patrick patriot patriots pavilion peaches peanut peanuts pearljam pebbles
  peekaboo peewee pegasus pencil penguin penguins pentium pepper pepsi pervert peterpan peugeot phantom philips
  phillies philly phoenix photos phpbb picard picasso pickle pickles piglet pikachu pineappl pinkfloy pioneer pirate
  pirates pistol pitbull pizza planet plastic platinum player playtime plumber plymouth poison poiuyt pokemon polaris
  police polina pontiac poohbear pookie pooper poopie poopoo popcorn popeye porkchop porsche portland portugal postal
  potato powder power precious predator prelude presario primus prince princes princess printer private privet
  prodigy psycho pumpkin punisher punkin punkrock puppies puppy purple putter pyramid python q1w2e3r4 q1w2e3r4t5
  q1w2e3r4t5y6 qawsed qawsedrf qazqaz qazwsx qazwsxed qazwsxedc qazwsxedcrfv qazxsw qazxswedc qwaszx qweasd qweasdzxc
  qweqwe qwer1234 qwerasdf qwert qwerty qwertyasdfgh qwertyu qwertyui qwertyuio qwertyuiop qwertyuiopasdf qwertz
  rabbit racecar racerx racing ragnarok raider raiders rainbow raistlin rammstein random ranger rangers raptor rascal
  rasdzv raven ravens rbhbkk reaper rebels redalert redbull reddog redhead redman redneck redrum redskins redsox
  redwings renegade rescue rfrfirf rhbcnbyf richard ripper rjntyjr robert rocker rocket rockon rocks rockstar rocky
  roller rolltide romashka rommel ronaldo rooster rootbeer rosebud rubber rulez runner rush2112 ruslan russia rusty
  sabbath sabine sailboat sailing sailor saints sakura salmon samantha sammy samson samsung samurai sandiego sandman
  sapphire sarah sasha satan saturn scarface scarlet scooby scoobydo scooter scorpio scorpion scotland scotty scrappy
  scream scruffy scully seattle sebastia secret secretpassword security seinfeld select seminole semperfi septembe
  serega serenity sergei sergey server sesame seven shadow shaggy shalom shaman shamrock shaney shaolin shark sharks
  shasta shaved shazam shelby shemale sherlock shiloh shogun shorty shotgun showme showtime siemens sierra silver
  simba simple simpsons sinner sirius sithlord skater skeeter skiing skipper skippy skittles skyline skywalke slappy
  slapshot slayer sleepy slipknot smiles smiley smitty smoke smoker smokey smokin smooth smudge snake snakes snapper
  snickers sniper snoopy snowball snowman snuggles sobaka soccer socrates softball software soldier sommer sooners
  sophie soso123aljg sparky spartak spartan spartans speaker spectrum speedy spider spiderma spiderman spidey spike
  spirit spitfire spooky spring sprint sprite spunky spyder squirrel srinivas stalker stallion starbuck starcraft
  stardust starfish stargate startrek starwars stealth steelers stephani sticky stimpy stinger stingray stinky
  stocking stonecol stones storm stormy stranger strider strike striker stupid subaru sublime success sugar summer
  sundance sunday sunrise sunset sunshine super superfly superman supersecret surfer surfing suzuki svetlana swallow
  sweetpea sweets sweety swimming swordfis swordfish sydney syracuse tacobell tacoma tanker tardis target tarheel
  tarheels tarzan tattoo tatyana taurus tazman teacher technics techno teens telefon tempest temporary tennis tequila
  terminator terror tester testing thailand thankyou thegame theking theman theone therock thisismypassword thomas
  thuglife thumper thunder tickle tiger tigers tigger timber tinker tintin tomcat topcat topdog topgun topper tornado
  toronto toshiba tottenha toyota tractor trance transam travel trebor trfnthbyf tricky trigger trinity triton
  triumph trixie trojan trojans trombone trooper trouble truck trucker trucks trumpet trunks trustno trustnoone
  tuesday turbo turkey turtle tweety twilight twister ultimate unicorn unreal vacation vader valentin valentina
  valera valhalla vampire vanhalen vanilla vectra vegeta velvet verbatim veritas veronika vertigo vette vfhbyf vfhecz
  vfrcbv vfrcbvrf vfvjxrf victory viking vikings viktor viktoria viper virgin vision vkontakte vladik vladimir voodoo
  voyager vulcan walnut warcraft warlock warrior warriors waterloo weasel webmaster weezer welcome welcometo werewolf
  westham westside whatever wheels whiskey whocares whynot wicked wildcat wildcats william willow windows winner
  winston winter wisdom wizard wolfgang wolfman wolfpack wolverin wolverine wolves wombat woody wookie wrangler
  wrinkle wutang xanadu xavier xfiles yamaha yankee yankees ybrbnf yellow yfnfif yomama yourmom yourpassword ytrewq
  zaq12wsx zaq1xsw2 zaqwsx zeppelin zidane zipper zombie zvezda zxcv1234 zxcvbn zxcvbnm zxcvbnmasdf
`
    .trim()
    .split(/\s+/),
);
