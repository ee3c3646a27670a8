import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { catalogoIas } from '@vigia/contracts/ias'
import type { IncidenteDetalhe, RespostaIncidente } from '@vigia/contracts/incidentes'
import { palavrasFonte, palavrasVeredito } from '@vigia/contracts/palavras-veredito'
import { palavrasGravidade } from '../../../adapters/senders/gravidade-words.ts'
import { localTime, localWhen } from '../../../adapters/senders/local-time.ts'
import { type Html, html } from '../../../http/pages/html.ts'
import type { ArchivedClip, ArchivedPicture } from './archived-files.ts'
import type { ReportPassagem } from './archived-passages.ts'

/** One event with its files in the archive. */
export interface ReportEvento {
  readonly evento: EventoDetalhe
  readonly pictures: readonly Pick<ArchivedPicture, 'name' | 'caption'>[]
  /** null: the archive has no clip of the event. */
  readonly clip: Pick<ArchivedClip, 'name' | 'sha256' | 'sha256Edge'> | null
  /** Answers to its incidente, if the report does not show that. */
  readonly atendimentos: IncidenteDetalhe['atendimentos']
}

/** About all events of a report. */
export interface ReportSubject {
  readonly empresa: string
  /** IANA time zone of all times. */
  readonly fuso: string
  /** null: the report of one event. */
  readonly incidente: IncidenteDetalhe | null
}

export interface Report extends ReportSubject {
  readonly titulo: string
  /** Sentence: who exported it, and when. */
  readonly origem: string
  /** `eventoSection` of each event, then `passagemSection`, made one by one: all at a time would hold the thread. */
  readonly sections: readonly Html[]
  /** `hashRow` of each file so far. */
  readonly hashRows: readonly Html[]
}

const respostas: Readonly<Record<RespostaIncidente, string>> = {
  verdadeiro: 'Verdadeiro',
  falso: 'Falso',
  nao_sei: 'Não sei',
}
const LOST_CLIP = 'O arquivo do clipe não está mais na central.'
const rotulos = { confirmado: 'alarme verdadeiro', refutado: 'alarme falso' } as const

/** The archive as one page without scripts. It refers only to files beside it, so that it opens without a network. */
export const reportPage = (report: Report): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.titulo} · Vigia</title>
<style>
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
section { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid }
img, video { max-width: 100%; max-height: 30rem }
figure { display: inline-block; margin: 0 0.8rem 0.8rem 0; vertical-align: top }
td, th { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; vertical-align: top }
code { font-size: 0.85rem }
@media print { section { break-inside: avoid } }
</style>
</head>
<body>
<h1>${report.titulo}</h1>
<p>${report.origem} Horas no fuso ${report.fuso}.</p>
${report.incidente && incidenteSection(report, report.incidente)}
${report.sections}
<section>
<h2>Resumos SHA-256</h2>
<p>Cada resumo identifica um arquivo. Se o arquivo mudar, o resumo muda.
SHA256SUMS.txt traz a mesma lista, com esta página.</p>
<table>
<tr><th>Arquivo</th><th>SHA-256</th></tr>
${report.hashRows}
</table>
</section>
</body>
</html>
`.toString()

/** A file of the archive with its hash. */
export function hashRow(hash: string, name: string): Html {
  return html`<tr><td><a href="${name}">${name}</a></td><td><code>${hash}</code></td></tr>
`
}

const row = (term: string, value: string | Html | null): Html =>
  value === null
    ? html``
    : html`<tr><th>${term}</th><td>${value}</td></tr>
`

const spanRows = ({ inicio, fim, hora_incerta }: IncidenteDetalhe, fuso: string): Html =>
  hora_incerta === undefined
    ? html`${row('Início', localTime(inicio, fuso))}${row('Fim', localTime(fim, fuso))}`
    : html`${row('Quando', localWhen({ ocorrido_em: inicio, hora_incerta }, fuso))}`

function incidenteSection({ empresa, fuso }: ReportSubject, incidente: IncidenteDetalhe): Html {
  const { atendimentos } = incidente
  return html`<table>
${row('Empresa', empresa)}${row('Câmera', incidente.camera_nome)}
${spanRows(incidente, fuso)}
${row('Gravidade', palavrasGravidade[incidente.gravidade])}${row('Eventos', String(incidente.eventos))}
</table>
<section>
<h2>Respostas</h2>
${atendimentos.length === 0 ? html`<p>Ninguém respondeu.</p>` : null}
${answerList(atendimentos, fuso)}
</section>`
}

const answerList = (atendimentos: IncidenteDetalhe['atendimentos'], fuso: string): Html => html`<ul>
${atendimentos.map(
  ({ resposta, revisor, atendido_em, nota }) => html`<li>${respostas[resposta]}, por ${revisor}, em
${localTime(atendido_em, fuso)}${nota === null ? null : html`: ${nota}`}</li>
`,
)}
</ul>`

/** An event with its files. */
export function eventoSection(
  { empresa, fuso, incidente }: ReportSubject,
  { evento, pictures, clip, atendimentos }: ReportEvento,
): Html {
  const { revisao, veredito } = evento
  const by = (name: string, iso: string) => `${name}, em ${localTime(iso, fuso)}`
  return html`<section>
<h2>${catalogoIas[evento.tipo].titulo}, ${localWhen(evento, fuso)}</h2>
<table>
${incidente ? null : html`${row('Empresa', empresa)}${row('Câmera', evento.camera_nome)}`}
${row('Evento', `nº ${evento.id}`)}${row('Gravidade', palavrasGravidade[evento.gravidade])}
${row('Veredito', veredito ? `${palavrasVeredito(veredito, evento)}. ${veredito.motivo}` : 'Ainda sem verificação')}
${row('Verificado por', veredito && by(palavrasFonte(veredito.fonte), veredito.verificado_em))}
${row('Respostas', atendimentos.length === 0 ? null : answerList(atendimentos, fuso))}
${row('Revisão', revisao && `${rotulos[revisao.rotulo_humano]}, por ${by(revisao.revisor, revisao.revisado_em)}`)}
</table>
${figures(pictures)}
${clip ? clipSection(evento, clip) : html`<p>${evento.clip_detalhe ?? LOST_CLIP}</p>`}
</section>
`
}

/** A passage with its pictures. */
export function passagemSection({ empresa, fuso }: ReportSubject, { passagem, pictures }: ReportPassagem): Html {
  const { placa, correcao } = passagem
  return html`<section>
<h2>Passagem de veículo, ${localWhen(passagem, fuso)}</h2>
<table>
${row('Empresa', empresa)}${row('Câmera', passagem.camera_nome)}${row('Passagem', `nº ${passagem.id}`)}
${row('Placa', placa ?? 'Não lida')}${row('Corrigida por', correcao?.por ?? null)}
</table>
${figures(pictures)}
</section>
`
}

const figures = (pictures: readonly Pick<ArchivedPicture, 'name' | 'caption'>[]): Html[] =>
  pictures.map(
    ({ name, caption }) => html`<figure><img src="${name}" alt="${caption}" loading="lazy">
<figcaption>${caption}</figcaption></figure>
`,
  )

function clipSection(
  { clip_deslocamento_ms }: EventoDetalhe,
  { name, sha256, sha256Edge }: NonNullable<ReportEvento['clip']>,
): Html {
  const seconds = (clip_deslocamento_ms ?? 0) / 1000
  const equal =
    sha256 === sha256Edge
      ? 'É o mesmo resumo que a caixa calculou quando cortou o clipe.'
      : `A caixa calculou outro resumo quando cortou o clipe: ${sha256Edge}.`
  return html`<figure><video src="${name}#t=${String(seconds)}" controls muted preload="metadata"></video>
<figcaption><a href="${name}">${name}</a>. O evento está em ${seconds.toLocaleString('pt-BR')} s do clipe.
SHA-256 do clipe: <code>${sha256}</code>. ${equal}</figcaption></figure>`
}
