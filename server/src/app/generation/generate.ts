import { mkdir, writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated-files.ts'

/** Writes the files that are made from the declarations and kept in the repository: `npm run generate`. */
for (const { location, content } of generatedFiles()) {
  await mkdir(new URL('.', location), { recursive: true })
  await writeFile(location, content)
}
