import { foldForSearch } from '@matricula/server/values/index'
import type { Random } from '../random.ts'
import { type Country, type Holder, list } from './country.ts'
import { spanishRelations } from './spain.ts'

export const mexico: Country = {
  name: 'Mexico',
  nationality: 'Mexican',
  language: 'es',
  share: 18,
  names: {
    Female: list(`Sofía, Valentina, Regina, María José, Camila, Ximena, Renata, Fernanda, Guadalupe, Daniela, Natalia,
      Victoria, Romina, Paola, Alejandra, Itzel, Citlali, Andrea, Mariana, Jimena, Abril, Lucía, Ana Paula, Frida`),
    Male: list(`Santiago, Mateo, Sebastián, Leonardo, Emiliano, Diego, Miguel Ángel, Daniel, Alexander, José, Luis, Iker,
      Ángel, Eduardo, Rodrigo, Ricardo, Francisco, Javier, Maximiliano, Gael, Jesús, Patricio, Raúl, Bruno`),
  },
  secondName: 0.3,
  nicknames: {
    Guadalupe: 'Lupita',
    Fernanda: 'Fer',
    Alejandra: 'Ale',
    José: 'Pepe',
    Francisco: 'Paco',
    Eduardo: 'Lalo',
    Santiago: 'Santi',
    Jesús: 'Chuy',
    'María José': 'Majo',
  },
  surnames: list(`Hernández, García, Martínez, López, González, Pérez, Rodríguez, Sánchez, Ramírez, Cruz, Flores, Gómez,
    Morales, Vázquez, Reyes, Jiménez, Torres, Díaz, Gutiérrez, Ruiz, Mendoza, Aguilar, Ortiz, Moreno, Castillo, Romero,
    Álvarez, Chávez, Rivera, Juárez, Ramos, Domínguez, Herrera, Medina, Castro, Vargas, Guzmán, Velázquez, Rojas, Luna,
    Núñez, Ibáñez`),
  surnameOrder: 'father mother',
  places: [
    { city: 'Ciudad de México', stateProvince: 'Ciudad de México', postalCode: '0####', phone: '+52 55 *### ####' },
    { city: 'Guadalajara', stateProvince: 'Jalisco', postalCode: '44###', phone: '+52 33 *### ####' },
    { city: 'Monterrey', stateProvince: 'Nuevo León', postalCode: '64###', phone: '+52 81 *### ####' },
    { city: 'Puebla', stateProvince: 'Puebla', postalCode: '72###', phone: '+52 222 *## ####' },
    { city: 'Querétaro', stateProvince: 'Querétaro', postalCode: '76###', phone: '+52 442 *## ####' },
    { city: 'Mérida', stateProvince: 'Yucatán', postalCode: '97###', phone: '+52 999 *## ####' },
    { city: 'Oaxaca de Juárez', stateProvince: 'Oaxaca', postalCode: '68###', phone: '+52 951 *## ####' },
  ],
  streets:
    list(`Calle Morelos *#, Avenida Juárez 1##, Calle Hidalgo *##, Avenida Insurgentes Sur 1###, Calle Allende *#,
    Privada de los Pinos *, Calle 5 de Mayo 2##, Avenida Reforma 4##, Calle Niños Héroes *#, Andador Las Palmas *,
    Calle Benito Juárez *##, Cerrada del Bosque *#, Calzada Independencia 7##, Calle Constitución *#`),
  phone: '+52 55 *### ####',
  relations: spanishRelations,
  documents: [
    { type: 'CURP', ages: [0, 120], number: populationKey },
    { type: 'Pasaporte', ages: [0, 120], number: 'G########' },
    { type: 'INE', ages: [18, 120], number: '#############' },
  ],
}

/** The form of the CURP: initials, date of birth, sex, state, three consonants and two more marks. */
function populationKey({ givenNames, familyNames, gender, dateOfBirth }: Holder, random: Random): string {
  const [first = 'x', second = 'x'] = foldForSearch(familyNames).split(' ')
  const vowel = /[aeiou]/.exec(first.slice(1))?.[0] ?? 'x'
  const initials = `${first[0]}${vowel}${second[0]}${foldForSearch(givenNames)[0]}`
  const born = dateOfBirth.slice(2).replaceAll('-', '')
  const state = random.pick(['DF', 'JC', 'NL', 'PL', 'QT', 'YN', 'OC'])
  const consonants = [1, 2, 3].map(() => random.pick([...'BCDFGLMNPRSTVZ'])).join('')
  return random.filled(`${initials.toUpperCase()}${born}${gender === 'Male' ? 'H' : 'M'}${state}${consonants}@#`)
}
