import fc from 'fast-check'

/** What the properties that are tested are made from, where nothing else is asked for: the same on every machine. */
const usualSeed = 20_260_901

/** The variable by which `npm run properties` asks for other values. */
export const seedVariable = 'MATRICULA_PROPERTY_SEED'

// Loaded before every test file: a failure prints the seed and the path that bring it back.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env[seedVariable] ?? usualSeed) })
