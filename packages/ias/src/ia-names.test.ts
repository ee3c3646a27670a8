import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { nomesIas } from './catalogue.ts'
import { tarefasModelo } from './catalogue-entry.ts'

/**
 * Only the IA's folder, registro.ts and the files below contain the name of an IA. All other code uses the catalogue,
 * the evidence and the judge without names.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCE = /\.(ts|tsx|mjs|jsonc?)$/

const allowed: readonly (readonly [RegExp, string])[] = [
  [/^packages\/ias\/src\/registro\.ts$/, 'the registration'],
  [/^packages\/contracts\/src\/perfis\.ts$/, 'which IAs a Perfil, a new camera and an example name'],
  [/^apps\/all-in-one\/src\/demo\.ts$/, 'the IAs of the cameras of the demonstration'],
  [/\/migrations\//, 'what a migration did stays'],
  [/^apps\/dashboard\/src\/texts\//, 'texts'],
  [/^packages\/ias\/src\/label-names\.ts$/, 'Portuguese names of labels, not of IAs'],
  [
    /\.test\.tsx?$|\/(e2e|test|testing|interface-tests|fixtures|releases|journeys|telas)\/|-fixture\.ts$/,
    'tests and recorded data',
  ],
  [/^apps\/model-tools\//, 'trains and converts the model of a task'],
  [/^apps\/lab\/trials\/eval\/verificador\//, 'which judge a group of labels measures'],
  [/^apps\/lab\/trials\/eval\/rastreio\//, 'which rule labelled crossings measure'],
  [/^apps\/lab\/trials\/(eval\/(composto|weather|veiculos)|plumes)\//, 'composed scenes measure one IA'],
  [/^apps\/cloud\/trials\/cloud\/(lista|simulated-edge)\.ts$/, 'events and filters of a load'],
  [/^apps\/cloud\/trials\/(learning|million-incidentes|neighbours|walk-reads)\//, 'events and filters of a trial'],
  [/^apps\/edge\/trials\/(changed-settings|passages)\//, 'the IAs of the cameras of a trial'],
  [/\/retencao\/espaco\/store\.ts$/, 'the picture of a plate event is that of its passage'],
  [/^apps\/lab\/trials\/eval\/strata\.ts$/, 'the IA whose default threshold a table uses'],
]

/** Names of IAs that are also names of model tasks. In these files they mean the task. */
const tasks: readonly RegExp[] = [
  /^apps\/lab\/trials\/eval\/(class-names|carry-out|trial|ppe\/[\w-]+)\.ts$/,
  /^packages\/vision\/src\/(manifest|built-in-models)\.ts$/,
  /^packages\/ias\/src\/(catalogue-entry|head-calibration|fire-\w+|tasks\/\w+|\w+\/(catalogue|evidence|judge|rule))\.ts$/,
  /^packages\/analysis\/src\/(fire-stage|person-inferences)\.ts$/,
]
/** Files in which the name of an IA is an ordinary Portuguese noun. */
const nouns: Readonly<Record<string, RegExp>> = {
  /** A number plate, in the settings of plate reading and their messages, and in the words of the search. */
  placa:
    /^packages\/contracts\/src\/(apagamentos|auditoria|cameras|busca|placas|leitura-placas|passagens|portao|presencas|registro-passagem|veiculos|efeitos|incidentes|livro|plates-ia)\.ts$|\/(audit-apagamento|audit-placa|audit-link|data-register|view-passagem|archived-passages|report-page|describe-portao|hide-plates|mask-plates|change-camera|match-placa|passagem-store|verify-evento|place-evento|plate-key|join-incidentes|view-incidente|incidente-title|clipe-text|plate-of)\.ts$|\/adapters\/senders\/email-(html|sender)\.ts$|\/(incidente-(card|page|panel)|fila-row|stage|livro-row|evento-page|plate-facts|live-provider)\.tsx$|\/search-words\.ts$|\/(read-sentence|sentence|sentence-things)\.ts$|\/understood-chips\.tsx$|\/(placas-queries|presencas-queries|open-passages)\.ts$|\/mcp\/(tools\/(busca|passagens)|instructions)\.ts$|\/(plates|modo-b|placas|leitura-placas|passagens|portoes|presencas|apagamentos)\/|\/retencao\/(apagamentos|apagar-periodo)\.tsx$|\/(cameras|retencao)\/noun\.ts$|\/camera-setup\/(areas|plate-lists|vigia-page|sensibilidade-page)\.tsx?$|\/(camera-routes\.ts|app\/router\.tsx)$|\/screenshots\/pages\.ts$/,
  /** The vehicle of a passage. */
  veiculo:
    /^packages\/contracts\/src\/(passagens|presencas|registro-passagem)\.ts$|\/(passagem-store|placas-queries|view-passagem|archived-passages)\.ts$|\/app\/router\.tsx$|\/understood-chips\.tsx$|\/(plates|modo-b|placas|passagens|presencas)\//,
  /** A fire, in the names of folders with footage of fires. */
  fogo: /^apps\/lab\/trials\/eval\/data-set\.ts$/,
  /** Smoke, as a class of public data sets. */
  fumaca: /^apps\/lab\/trials\/eval\/class-names\.ts$/,
}

const isTask = (nome: string) => tarefasModelo.some((tarefa) => tarefa === nome)
const mayName = (file: string, nome: string) =>
  file.startsWith(`packages/ias/src/${nome}/`) ||
  (isTask(nome) && tasks.some((files) => files.test(file))) ||
  (nouns[nome]?.test(file) ?? false)

it('an IA is named only in its folder, its registration and a short list of files', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'packages'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => SOURCE.test(file) && !allowed.some(([some]) => some.test(file)))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return nomesIas.flatMap((nome) =>
      new RegExp(`\\b${nome}\\b`).test(text) && !mayName(file, nome) ? [`${file}: ${nome}`] : [],
    )
  })
  expect(found).toEqual([])
})
