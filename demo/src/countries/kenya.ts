import { type Country, list } from './country.ts'

export const kenya: Country = {
  name: 'Kenya',
  nationality: 'Kenyan',
  language: 'en',
  share: 6,
  names: {
    Female: list(`Faith, Mercy, Grace, Joy, Purity, Esther, Wanjiru, Akinyi, Njeri, Achieng, Wambui, Cherono, Nekesa,
      Halima, Zawadi, Amani, Winnie, Lydia, Naomi, Ruth, Beatrice, Sharon, Chebet, Mumbua`),
    Male: list(`Brian, Kevin, Dennis, Collins, Emmanuel, Victor, Kamau, Otieno, Kipchoge, Mwangi, Odhiambo, Kiprono,
      Wekesa, Abdi, Baraka, Juma, Samuel, Peter, Geoffrey, Elijah, Festus, Musa, Mutua, Simiyu`),
  },
  secondName: 0.2,
  nicknames: { Emmanuel: 'Emma', Geoffrey: 'Jeff', Beatrice: 'Bea', Wanjiru: 'Ciru', Wambui: 'Bui' },
  surnames: list(`Kamau, Mwangi, Otieno, Odhiambo, Ochieng, Kariuki, Njoroge, Maina, Kimani, Kiprop, Cheruiyot, Korir,
    Rotich, Wafula, Barasa, Makau, Mutiso, Musyoka, Njuguna, Gitau, Omondi, Owino, Onyango, Kiplagat, Koech, Langat,
    Hassan, Mohamed, Nyambura, Waweru, Macharia, Gathoni, Kibet, Ndungu, Muthoni, Were`),
  surnameOrder: 'shared',
  places: [
    { city: 'Nairobi', stateProvince: 'Nairobi County', postalCode: '00100' },
    { city: 'Mombasa', stateProvince: 'Mombasa County', postalCode: '80100' },
    { city: 'Kisumu', stateProvince: 'Kisumu County', postalCode: '40100' },
    { city: 'Nakuru', stateProvince: 'Nakuru County', postalCode: '20100' },
    { city: 'Eldoret', stateProvince: 'Uasin Gishu County', postalCode: '30100' },
    { city: 'Thika', stateProvince: 'Kiambu County', postalCode: '01000' },
  ],
  streets: list(`Moi Avenue *#, Kenyatta Avenue 1##, Ngong Road 4##, P.O. Box 1####, P.O. Box 3###, Tom Mboya Street *#,
    Argwings Kodhek Road *#, Oginga Odinga Street 2#, Mama Ngina Drive *#`),
  phone: '+254 7## ### ###',
  relations: { mother: 'Mother', father: 'Father', grandmother: 'Grandmother', guardian: 'Guardian', spouse: 'Spouse' },
  documents: [
    { type: 'Birth certificate', ages: [0, 17], number: '########' },
    { type: 'National ID', ages: [18, 120], number: '########' },
    { type: 'Passport', ages: [0, 120], number: 'AK#######' },
  ],
}
