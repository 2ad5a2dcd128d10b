import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../../errors/index.ts'

const mediaTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

interface Asset {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/**
 * Serves the style sheet and the scripts of the public pages, and returns their folder, from the root. Its name has
 * the hash of all of them, so that they may be cached without expiry, and a script finds its imports beside it.
 */
export function addPageAssets(app: FastifyInstance): string {
  const assets = readAssets()
  const hash = createHash('sha256')
  for (const { name, bytes } of assets) hash.update(name).update(bytes)
  const folder = `pages/${hash.digest('base64url').slice(0, 16)}`
  for (const { name, mediaType, bytes } of assets) {
    app.get(`/${folder}/${name}`, { config: { operationId: 'pageAsset' } }, (_request, reply) =>
      reply
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
        .type(mediaType)
        .send(bytes),
    )
  }
  app.get('/pages/*', { config: { operationId: 'pageAsset' } }, () => {
    throw new Problem('route_not_found', 'There is no such file.')
  })
  return folder
}

function readAssets(): Asset[] {
  const style = new URL(import.meta.resolve('@matricula/pages/style.css'))
  const scripts = new URL('./', import.meta.resolve('@matricula/pages/browser/request-page.js'))
  const names = readdirSync(scripts).filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
  return [
    { name: 'style.css', mediaType: mediaTypes.css, bytes: readFileSync(style) },
    ...names.sort().map((name) => ({ name, mediaType: mediaTypes.js, bytes: readFileSync(new URL(name, scripts)) })),
  ]
}
