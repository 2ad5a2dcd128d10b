import { readFileSync } from 'node:fs'

const packageFile = new URL('../../package.json', import.meta.url)

/** The version of this program, such as 1.0.0. */
export const programVersion: string = JSON.parse(readFileSync(packageFile, 'utf8')).version
