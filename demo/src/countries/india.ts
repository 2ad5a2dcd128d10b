import { type Country, list } from './country.ts'

export const india: Country = {
  name: 'India',
  nationality: 'Indian',
  language: 'en-IN',
  share: 7,
  names: {
    Female: list(`Aadhya, Ananya, Diya, Saanvi, Ishita, Priya, Kavya, Meera, Neha, Pooja, Riya, Shreya, Sneha, Anjali,
      Lakshmi, Divya, Fatima, Nandini, Tanvi, Aishwarya, Sunita, Rekha, Harpreet, Deepika`),
    Male: list(`Aarav, Vivaan, Aditya, Arjun, Sai, Reyansh, Krishna, Ishaan, Rohan, Rahul, Amit, Karthik, Vikram, Suresh,
      Rajesh, Imran, Gurpreet, Siddharth, Nikhil, Pranav, Varun, Manoj, Sanjay, Kabir`),
  },
  secondName: 0.08,
  nicknames: { Siddharth: 'Sid', Aishwarya: 'Aishu', Karthik: 'Kartik', Lakshmi: 'Lucky', Aditya: 'Adi' },
  surnames:
    list(`Sharma, Verma, Gupta, Singh, Kumar, Patel, Reddy, Nair, Menon, Iyer, Rao, Desai, Joshi, Kulkarni, Shah,
    Mehta, Chatterjee, Mukherjee, Banerjee, Das, Khan, Kaur, Mishra, Pandey, Yadav, Choudhary, Agarwal, Bhat, Pillai,
    Naidu, Jain, Malhotra, Kapoor, Saxena, Tiwari, Fernandes`),
  surnameOrder: 'shared',
  places: [
    { city: 'Mumbai', stateProvince: 'Maharashtra', postalCode: '4000##' },
    { city: 'Pune', stateProvince: 'Maharashtra', postalCode: '4110##' },
    { city: 'Bengaluru', stateProvince: 'Karnataka', postalCode: '5600##' },
    { city: 'Chennai', stateProvince: 'Tamil Nadu', postalCode: '6000##' },
    { city: 'Hyderabad', stateProvince: 'Telangana', postalCode: '5000##' },
    { city: 'New Delhi', stateProvince: 'Delhi', postalCode: '1100##' },
    { city: 'Kolkata', stateProvince: 'West Bengal', postalCode: '7000##' },
  ],
  streets: [
    '1#, MG Road',
    '*#/4, Park Street',
    'Flat 30#, Shanti Apartments, Station Road',
    '2##, 5th Cross, Indiranagar',
    '*#, Gandhi Nagar',
    'House 1##, Sector 2#',
    '4#, Anna Salai',
    'Plot *#, Jubilee Hills',
    '7#, Nehru Marg',
  ],
  phone: '+91 98### #####',
  relations: { mother: 'Mother', father: 'Father', grandmother: 'Grandmother', guardian: 'Guardian', spouse: 'Spouse' },
  documents: [
    // No real one begins with 1.
    { type: 'Aadhaar', ages: [0, 120], number: '1### #### ####' },
    { type: 'PAN', ages: [18, 120], number: '@@@P@####@' },
    { type: 'Passport', ages: [0, 120], number: 'Z#######' },
  ],
}
