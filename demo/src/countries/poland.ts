import type { Random } from '../random.ts'
import { type Country, type Holder, list } from './country.ts'

export const poland: Country = {
  name: 'Poland',
  nationality: 'Polish',
  language: 'pl',
  share: 7,
  names: {
    Female: list(`Zuzanna, Julia, Zofia, Hanna, Maja, Lena, Oliwia, Alicja, Maria, Amelia, Katarzyna, Agnieszka,
      Małgorzata, Magdalena, Aleksandra, Karolina, Natalia, Weronika, Kinga, Iga, Dorota, Ewa, Łucja, Jagoda`),
    Male: list(`Antoni, Jan, Aleksander, Franciszek, Jakub, Szymon, Filip, Mikołaj, Stanisław, Wojciech, Kacper, Piotr,
      Tomasz, Paweł, Michał, Krzysztof, Łukasz, Bartosz, Mateusz, Igor, Marcin, Grzegorz, Leon, Tadeusz`),
  },
  secondName: 0.2,
  nicknames: {
    Zuzanna: 'Zuzia',
    Katarzyna: 'Kasia',
    Małgorzata: 'Gosia',
    Aleksandra: 'Ola',
    Stanisław: 'Staś',
    Jakub: 'Kuba',
    Wojciech: 'Wojtek',
    Krzysztof: 'Krzyś',
  },
  surnames: list(`Nowak, Kowalski, Wiśniewski, Wójcik, Kowalczyk, Kamiński, Lewandowski, Zieliński, Szymański, Woźniak,
    Dąbrowski, Kozłowski, Mazur, Jankowski, Kwiatkowski, Wojciechowski, Krawczyk, Kaczmarek, Piotrowski, Grabowski,
    Zając, Pawłowski, Michalski, Król, Wieczorek, Jabłoński, Wróbel, Nowakowski, Majewski, Olszewski, Stępień, Malinowski,
    Jaworski, Adamczyk, Dudek, Górski, Sikora, Walczak`),
  surnameOrder: 'shared',
  womansSurname: (surname) => surname.replace(/(?<=[scd]k|dzk)i$/, 'a'),
  places: [
    { city: 'Warszawa', stateProvince: 'Mazowieckie', postalCode: '0#-###' },
    { city: 'Kraków', stateProvince: 'Małopolskie', postalCode: '3#-###' },
    { city: 'Wrocław', stateProvince: 'Dolnośląskie', postalCode: '5#-###' },
    { city: 'Gdańsk', stateProvince: 'Pomorskie', postalCode: '80-###' },
    { city: 'Poznań', stateProvince: 'Wielkopolskie', postalCode: '60-###' },
    { city: 'Łódź', stateProvince: 'Łódzkie', postalCode: '9#-###' },
  ],
  streets:
    list(`ul. Polna *#, ul. Leśna *, ul. Słoneczna *#, ul. Kościuszki 1#/*#, ul. Mickiewicza *#/*, al. Jana Pawła II
    *#/1##, ul. Ogrodowa *, ul. Szkolna *#, ul. Długa 1#/*, ul. Piłsudskiego *#, os. Słowackiego */*#`),
  phone: '+48 5## ### ###',
  relations: {
    mother: 'Matka',
    father: 'Ojciec',
    grandmother: 'Babcia',
    guardian: 'Opiekun prawny',
    spouse: 'Małżonek',
  },
  documents: [
    { type: 'PESEL', ages: [0, 120], number: populationNumber },
    { type: 'Dowód osobisty', ages: [18, 120], number: '@@@######' },
    { type: 'Paszport', ages: [0, 120], number: 'E@#######' },
  ],
}

/** The form of the PESEL: date of birth, with 20 added to the month from the year 2000 on, and five digits. */
function populationNumber({ dateOfBirth }: Holder, random: Random): string {
  const [year = '', month = '', day = ''] = dateOfBirth.split('-')
  const shifted = Number(year) < 2000 ? month : String(Number(month) + 20)
  return random.filled(`${year.slice(2)}${shifted}${day}#####`)
}
