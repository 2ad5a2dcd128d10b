import { type Country, list } from './country.ts'

export const germany: Country = {
  name: 'Germany',
  nationality: 'German',
  language: 'de',
  share: 9,
  names: {
    Female: list(`Emilia, Mia, Hannah, Lina, Clara, Leonie, Johanna, Frieda, Greta, Lotte, Sophie, Charlotte, Anneliese,
      Franziska, Katharina, Jana, Merle, Elif, Aylin, Theresa, Maja, Paula, Ida, Jule`),
    Male: list(`Finn, Leon, Paul, Emil, Jonas, Felix, Maximilian, Moritz, Jakob, Anton, Lukas, Oskar, Karl, Matthias,
      Jürgen, Tobias, Björn, Emre, Mehmet, Till, Friedrich, Konstantin, Sören, Benedikt`),
  },
  secondName: 0.15,
  nicknames: { Katharina: 'Kathi', Franziska: 'Franzi', Maximilian: 'Max', Friedrich: 'Fritz', Konstantin: 'Konsti' },
  surnames: list(`Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch,
    Bauer, Richter, Klein, Wolf, Schröder, Neumann, Schwarz, Zimmermann, Braun, Krüger, Hofmann, Hartmann, Lange,
    Schmitt, Werner, Krause, Meier, Lehmann, Köhler, Herrmann, König, Walter, Huber, Kaiser, Fuchs, Groß, Yılmaz,
    von Berg`),
  surnameOrder: 'shared',
  // Numbers that the Bundesnetzagentur keeps free for films and other media.
  places: [
    { city: 'Berlin', stateProvince: 'Berlin', postalCode: '10###', phone: '+49 30 23125###' },
    { city: 'Hamburg', stateProvince: 'Hamburg', postalCode: '20###', phone: '+49 40 66969###' },
    { city: 'München', stateProvince: 'Bayern', postalCode: '80###', phone: '+49 89 99998###' },
    { city: 'Köln', stateProvince: 'Nordrhein-Westfalen', postalCode: '50###', phone: '+49 221 4710###' },
    { city: 'Frankfurt am Main', stateProvince: 'Hessen', postalCode: '60###', phone: '+49 69 90009###' },
  ],
  streets: list(`Hauptstraße *#, Goethestraße *#, Schillerstraße 1##, Bahnhofstraße *#, Gartenweg *, Lindenallee *#,
    Am Markt *, Beethovenstraße *#, Kirchgasse *, Waldweg 1#, Rosenstraße *#a, Friedrichstraße 1##`),
  phone: '+49 30 23125###',
  relations: {
    mother: 'Mutter',
    father: 'Vater',
    grandmother: 'Großmutter',
    guardian: 'Vormund',
    spouse: 'Ehepartner',
  },
  documents: [
    { type: 'Kinderreisepass', ages: [0, 11], number: 'F#######' },
    { type: 'Personalausweis', ages: [12, 120], number: 'L##@##@##' },
    { type: 'Reisepass', ages: [0, 120], number: 'C##@##@##' },
  ],
}
