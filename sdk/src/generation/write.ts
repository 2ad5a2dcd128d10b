import { writeFile } from 'node:fs/promises'
import { generatedFiles, whyNotGenerated } from './generated-files.ts'

/** Writes the files that are made from the declarations and kept in the repository: the second part of `npm run generate`. */
const reason = whyNotGenerated()
if (reason !== null) throw new Error(reason)
for (const { location, content } of await generatedFiles()) await writeFile(location, content)
