import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS = ['postgres', 'native', 'app', 'pure']
/** The slowest files of each project. The list is fixed, because a fresh clone has no durations of an earlier run. */
const LONGEST = [
  'e2e/journeys-cameras.shared',
  ...['chaos', 'crashes'].map((name) => `lab/e2e/${name}`),
  'e2e/journeys-alertas.shared',
  'lab/e2e/dashboard',
  'e2e/journeys-pessoas.shared',
  ...['disk', 'calibration', 'npm-start', 'bad-input', 'example-ia', 'audio'].map((name) => `e2e/${name}`),
  'autorizacoes/e2e/page.shared',
  'e2e/camera-to-alert',
  'oauth/e2e/consent-page.shared',
  'e2e/eval',
  'edge/src/app',
  'debian/install-edge',
  'dvr-simulator/src/probe',
  'analysis/src/camera-pipeline',
  'eventos/store',
  'aovivo/aovivo',
  'alertas/alertas',
  'gravadores/probing',
  'interface-tests/properties',
  'gravadores/causes.native',
  'quirks/quirks.native',
  'vision/src/picture-health',
  'edge/src/db/spare-db',
  'vision/src/motion-weather',
  'outbox/promises',
]

/** Starts the slowest files first, so that the quick ones fill the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const indexIn = (names: readonly string[], { moduleId }: TestSpecification) =>
      names.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
    const project = ({ project: { name } }: TestSpecification) =>
      PROJECTS.includes(name) ? PROJECTS.indexOf(name) : PROJECTS.length
    const rank = (file: TestSpecification) => {
      const index = indexIn(LONGEST, file)
      return index < 0 ? LONGEST.length : index
    }
    return (await super.sort(files)).sort((a, b) => project(a) - project(b) || rank(a) - rank(b))
  }
}
