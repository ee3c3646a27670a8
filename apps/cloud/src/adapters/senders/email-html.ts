import { html } from '../../http/pages/html.ts'
import type { Texto } from './interface.ts'

interface EmailContent {
  readonly texto: Texto
  /** Page of the subject; null: without a public address. */
  readonly link: string | null
  /** Content-ID of the inline picture (RFC 2392); null: none. */
  readonly cid: string | null
  /** Plate that the message carries; null: none. */
  readonly placa: string | null
}

/** A plate as it is on a car; mail programs keep only inline styles. */
const PLATE =
  'display:inline-block;padding:4px 14px;border:2px solid #1f2937;border-top:8px solid #1d4ed8;border-radius:6px;' +
  'background:#ffffff;color:#111827;font:bold 24px/1.2 monospace;letter-spacing:2px'
const BUTTON =
  'display:inline-block;padding:14px 28px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;' +
  'text-decoration:none'
const GAP = 'margin:0 0 16px'
const LABEL = 'padding:6px 12px 6px 0;text-align:left;vertical-align:top;font-weight:normal;opacity:.75'
const VALUE = 'padding:6px 0;vertical-align:top;word-break:break-word'

/**
 * HTML of an e-mail in one column: as wide as a phone, and at most 600 px. It loads nothing from outside, and names no
 * colour of the page, so that a dark mail program stays readable.
 */
export const emailHtml = ({ texto: { titulo, abertura, dados }, link, cid, placa }: EmailContent): string =>
  html`<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${titulo}</title></head>
<body style="margin:0;padding:0;font:16px/1.45 Arial,Helvetica,sans-serif">
<div style="max-width:600px;margin:0 auto;padding:16px">
<h1 style="margin:0 0 8px;font-size:20px;line-height:1.3">${titulo}</h1>
<p style="${GAP}">${abertura}</p>
${placa === null ? '' : html`<p style="${GAP}"><span style="${PLATE}">${placa}</span></p>\n`}${
  cid === null
    ? ''
    : html`<p style="${GAP}"><img src="cid:${cid}" alt="Imagem do evento" width="600" style="${PICTURE}"></p>\n`
}<table role="presentation" style="width:100%;border-collapse:collapse">
${dados.map(
  ([rotulo, valor]) =>
    html`<tr><th scope="row" style="${LABEL}">${rotulo}</th><td style="${VALUE}">${valor}</td></tr>\n`,
)}</table>
${link === null ? '' : html`<p style="${GAP}"><a href="${link}" style="${BUTTON}">Abrir no Vigia</a></p>\n`}</div>
</body></html>`.toString()

/** Old mail programs read the attribute `width`; the others the style, which lets it shrink. */
const PICTURE = 'display:block;width:100%;max-width:600px;height:auto;border-radius:8px'
