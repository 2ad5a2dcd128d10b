import { type Country, list } from './country.ts'

/** Relations in Spanish. */
export const spanishRelations: Country['relations'] = {
  mother: 'Madre',
  father: 'Padre',
  grandmother: 'Abuela',
  guardian: 'Tutor legal',
  spouse: 'Cónyuge',
}

export const spain: Country = {
  name: 'Spain',
  nationality: 'Spanish',
  language: 'es',
  share: 10,
  names: {
    Female: list(`Lucía, Martina, Carmen, Paula, Julia, Alba, Noa, Laia, Irene, Marta, Elena, Nuria, Aitana, Claudia,
      Vega, Candela, Ainhoa, Rocío, Inés, Blanca, Lola, Leire, Montserrat, Sara`),
    Male: list(`Hugo, Martín, Pablo, Álvaro, Adrián, Marcos, Izan, Jorge, Iñaki, Jordi, Manuel, Antonio, Ignacio, Rubén,
      Sergio, Gonzalo, Víctor, Nicolás, Enrique, Unai, Oriol, Jaime, Guillermo, Samuel`),
  },
  secondName: 0.12,
  nicknames: { Ignacio: 'Nacho', Manuel: 'Manu', Montserrat: 'Montse', Enrique: 'Quique', Guillermo: 'Guille' },
  surnames: list(`García, Fernández, González, Rodríguez, López, Martínez, Sánchez, Pérez, Gómez, Martín, Jiménez, Ruiz,
    Hernández, Díaz, Moreno, Muñoz, Álvarez, Romero, Alonso, Gutiérrez, Navarro, Torres, Domínguez, Vázquez, Ramos, Gil,
    Serrano, Blanco, Molina, Morales, Suárez, Ortega, Delgado, Castro, Rubio, Marín, Iglesias, Garrido, Etxeberria,
    Vidal, Ferrer, Puig`),
  surnameOrder: 'father mother',
  places: [
    { city: 'Madrid', stateProvince: 'Comunidad de Madrid', postalCode: '280##' },
    { city: 'Barcelona', stateProvince: 'Cataluña', postalCode: '080##' },
    { city: 'Valencia', stateProvince: 'Comunidad Valenciana', postalCode: '460##' },
    { city: 'Sevilla', stateProvince: 'Andalucía', postalCode: '410##' },
    { city: 'Zaragoza', stateProvince: 'Aragón', postalCode: '500##' },
    { city: 'Bilbao', stateProvince: 'País Vasco', postalCode: '480##' },
    { city: 'A Coruña', stateProvince: 'Galicia', postalCode: '150##' },
  ],
  streets: [
    'Calle Mayor, *#',
    'Calle de Alcalá, 1##',
    'Avenida de la Constitución, *#',
    'Plaza de España, *',
    'Calle del Carmen, *#, 3.º B',
    'Paseo de la Castellana, 2##',
    'Calle San Juan, *, 1.º A',
    'Gran Vía, *#, 5.º izquierda',
    'Ronda de Segovia, *#',
    'Calle Cervantes, *',
    'Avenida del Mediterráneo, 1##',
    'Calle de la Paz, *#',
  ],
  phone: '+34 6## ### ###',
  relations: spanishRelations,
  documents: [
    { type: 'DNI', ages: [0, 120], number: '########@' },
    { type: 'NIE', ages: [0, 120], number: 'X#######@' },
    { type: 'Pasaporte', ages: [14, 120], number: 'PA@######' },
  ],
}
