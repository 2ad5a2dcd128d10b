import { type Country, list } from './country.ts'

export const philippines: Country = {
  name: 'Philippines',
  nationality: 'Filipino',
  language: 'fil',
  share: 5,
  names: {
    Female:
      list(`Angel, Princess, Althea, Samantha, Nathalie, Andrea, Maria, Jasmine, Bea, Kristine, Mary Grace, Rosario,
      Marites, Lourdes, Cherry, Divina, Janelle, Trisha, Kyla, Imelda, Analyn, Czarina, Luningning, Rhea`),
    Male: list(`Nathaniel, John Paul, James, Gabriel, Joshua, Ezekiel, Mark, Christian, Jericho, Angelo, Ramon, Rodel,
      Jose, Emmanuel, Vicente, Reynaldo, Dante, Carlo, Paolo, Jomar, Arvin, Bayani, Crisanto, Ian`),
  },
  secondName: 0.2,
  nicknames: { 'John Paul': 'JP', 'Mary Grace': 'Gracie', Reynaldo: 'Rey', Rosario: 'Charo', Vicente: 'Enteng' },
  surnames: list(`Santos, Reyes, Cruz, Bautista, Ocampo, Garcia, Mendoza, Torres, Castillo, Villanueva, Ramos, Aquino,
    Del Rosario, Dela Cruz, Gonzales, Fernandez, De Leon, Mercado, Manalo, Pascual, Salazar, Tolentino, Dimaculangan,
    Magsaysay, Panganiban, Macaraeg, Lacson, Tan, Lim, Sy, Abad, Enriquez, Soriano, Valdez, Navarro, Peña`),
  surnameOrder: 'shared',
  places: [
    { city: 'Quezon City', stateProvince: 'Metro Manila', postalCode: '11##' },
    { city: 'Makati', stateProvince: 'Metro Manila', postalCode: '12##' },
    { city: 'Cebu City', stateProvince: 'Cebu', postalCode: '6000' },
    { city: 'Davao City', stateProvince: 'Davao del Sur', postalCode: '8000' },
    { city: 'Iloilo City', stateProvince: 'Iloilo', postalCode: '5000' },
    { city: 'Baguio', stateProvince: 'Benguet', postalCode: '2600' },
  ],
  streets: list(`*# Rizal Street, 1## Bonifacio Avenue, *# Mabini Street, Blk * Lot 1# Sampaguita Village,
    2## Quezon Avenue, *# Aguinaldo Street, 4# Katipunan Road, *# Burgos Street, 1## Roxas Boulevard`),
  phone: '+63 9## ### ####',
  relations: { mother: 'Nanay', father: 'Tatay', grandmother: 'Lola', guardian: 'Guardian', spouse: 'Asawa' },
  documents: [
    { type: 'Birth certificate', ages: [0, 17], number: '####-######' },
    { type: 'PhilSys ID', ages: [5, 120], number: '####-####-####-####' },
    { type: 'Passport', ages: [0, 120], number: 'P#######@' },
  ],
}
