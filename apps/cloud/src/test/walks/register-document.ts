import { prazosFixos } from '@vigia/contracts/retencao'
import { entries } from '../../db/data-register/data-register.ts'
import type { DataEntry, Ending, Reach } from '../../db/data-register/entry.ts'
import { otherData } from './other-data.ts'

const WIDTH = 120

/** Tables by subject, as the page lists them. Later ones follow by name. */
const bySubject = `
eventos evidencias incidentes atendimentos alertas avisos_incidente avisos_evento preservacoes busca_eventos
busca_incidentes busca_termos busca_preenchimento contagens_eventos descartados clipes clipes_eventos
clipes_a_descartar gravacoes passagens registros_passagem placas presencas provas quedas lacunas auditoria
auditoria_varrida entregas retencoes apagados_retencao apagamentos ajustes contador_eventos reservas_de_ids
sequencias midias_a_apagar orcamento_eventos midias uso_midia contagem_midia relogio apagamentos_retidos
regras_varridas carimbos_duvidosos silencios trabalhos turnos_trabalho faixas_trabalho destinos_lentos vlm_usos
empresas usuarios sessoes tokens_sessao codigos_recuperacao quiosques convites chaves inscricoes_push envios_push
clientes_oauth chaves_oauth consentimentos_oauth autorizacoes_oauth codigos_oauth renovacoes_oauth acessos_oauth
cameras ptz gravadores edges canais_notificacao remetentes certificados_edge credenciais_edge transmissoes
contato_central chaves_vapid replicas posses segredos_instalacao vistas publicacoes lista_revogacao
`
  .trim()
  .split(/\s+/)

const placeOf = (name: string) => bySubject.indexOf(name) + 1 || bySubject.length + 1
const listed = entries.toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))

/** The end of a record, as a part of a sentence. */
export const endingText = (ending: Ending): string => {
  if (ending.by === 'age') return `age \`${ending.tipo}\``
  if (ending.by === 'fixed') return `${prazosFixos[ending.tipo]} days`
  if (ending.by === 'owner') return `with \`${ending.table}\``
  if (ending.by === 'person') return 'removed by a person'
  return ending.by === 'never' ? `never: ${ending.why}` : ending.what
}

const reachText = (reach: Reach): string =>
  reach.by === 'with' ? `\`${reach.table}\`` : reach.by === 'none' ? '–' : reach.by

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const holds = (list: readonly (readonly [string, DataEntry])[]): string =>
  table(
    ['data', 'holds', 'ends'],
    list.map(([name, { personal, ends }]) => [`\`${name}\``, personal ?? '–', ends.map(endingText).join('; ')]),
  )

const reached = (list: readonly (readonly [string, DataEntry])[]): string =>
  table(
    ['data', 'hold', 'export', 'period', 'plate', 'login', 'masks', 'read by', 'shortened by'],
    list.map(([name, entry]) => [
      `\`${name}\``,
      entry.held ? 'yes' : '–',
      ...[entry.export, entry.period, entry.plate].map(reachText),
      entry.login === 'none' ? '–' : entry.login,
      entry.masks ? 'yes' : '–',
      entry.readers,
      entry.shortens,
    ]),
  )

/** Words with a separator in lines of the width of a document. */
export function wrapped(words: readonly string[], separator = ','): string {
  const lines: string[] = []
  for (const word of words.map((each, at) => (at === words.length - 1 ? each : `${each}${separator}`))) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

/** docs/reference/data-register.md. */
export function registerDocument(): string {
  const personal = listed.filter(([, entry]) => entry.personal !== null)
  const plain = listed.filter(([, entry]) => entry.personal === null)
  const others = Object.entries<DataEntry>(otherData)
  return `# Register of data

\`npm run test:run -- data-register/document -u\` makes this page from \`apps/cloud/src/db/data-register\`. A table
without an entry does not compile. \`interface-tests/data-register.test.ts\` checks the promises on the real routes.

## Contents and end

${holds([...personal, ...others])}

## Promises that reach it

* \`own\`: a step of its own. A name: it goes, or comes, with these records. \`–\`: not concerned.
* \`stays\`: the deletion leaves it, and its answer says so.
* \`period\`: deletion by period. \`plate\`: deletion of one plate. \`login\`: removal of a login.

${reached([...personal, ...others])}

## Without personal data

${wrapped(plain.map(([name]) => `\`${name}\``))}
`
}
