import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}

const require = createRequire(import.meta.url)

/** Starts the viewer. A separate file, because the policy of the page forbids inline scripts. */
const start = `const url = new URL('../openapi.json', document.currentScript.src).pathname
window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url,
    dom_id: '#referencia',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    tagsSorter: undefined,
    validatorUrl: null,
  })
})
`

const NO_SCRIPT =
  'Esta página precisa de JavaScript. ' + 'Sem ele, abra o <a href="/api/v1/openapi.json">documento da API</a>.'

const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'
/** All files of the page: name, media type, content. */
const sources = [
  ['swagger-ui.css', css, () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'))],
  ['swagger-ui.js', javascript, () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))],
  ['referencia.css', css, () => Buffer.from(style)],
  ['referencia.js', javascript, () => Buffer.from(start)],
] as const
const style = `body { margin: 0; background: #fff; }
.swagger-ui .info { margin: 24px 0; }
`

/**
 * Returns the reference page and its files by name. Each name contains the hash of its content, so that a file never
 * changes under its name. Other names get a 404: no path of a request reaches the file system.
 */
export function loadPage(): { html: string; files: ReadonlyMap<string, PageFile> } {
  const entries = sources.map(([name, type, read]) => {
    const bytes = new Uint8Array(read())
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    return [name.replace('.', `.${hash}.`), { bytes, type }] as const
  })
  const hrefs = entries.map(([name]) => `/api/v1/docs/${name}`)
  const html = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Vigia: referência da API</title>
${hrefs
  .filter((href) => href.endsWith('.css'))
  .map((href) => `<link rel="stylesheet" href="${href}">`)
  .join('\n')}
${hrefs
  .filter((href) => href.endsWith('.js'))
  .map((href) => `<script src="${href}" defer></script>`)
  .join('\n')}
</head>
<body>
<div id="referencia"></div>
<noscript>${NO_SCRIPT}</noscript>
</body>
</html>
`
  return { html, files: new Map(entries) }
}
