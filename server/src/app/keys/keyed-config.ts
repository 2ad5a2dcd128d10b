import { readOrMakeSecretKey } from '../../storage/index.ts'
import type { Config } from '../config.ts'

/** A configuration whose secret key is there, given or made. */
export type KeyedConfig = Config & { readonly secretKey: string }

/** The configuration with its secret key, which is made where none is given. */
export async function withSecretKey(config: Config): Promise<KeyedConfig> {
  return { ...config, secretKey: config.secretKey ?? (await readOrMakeSecretKey(config.dataDir)) }
}
