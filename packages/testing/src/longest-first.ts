import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS = ['native', 'app', 'pure', 'waiting', 'e2e-shared', 'e2e-alone']
/** End-to-end files that mostly wait. They run beside the browsers of `e2e-shared`, which need the processors. */
const WAITING = ['crashes', 'dashboard'].map((name) => `lab/e2e/${name}`)
/** The slowest files of each project. The list is fixed, because a fresh clone has no durations of an earlier run. */
const LONGEST = [
  ...WAITING,
  ...['pessoas', 'cameras', 'alertas'].map((name) => `e2e/journeys-${name}.shared`),
  'autorizacoes/e2e/page.shared',
  'oauth/e2e/consent-page.shared',
  ...['bad-input', 'eval', 'chaos', 'disk', 'camera-to-alert'].map((name) => `e2e/${name}`),
  ...['audio', 'example-ia', 'npm-start', 'calibration'].map((name) => `e2e/${name}`),
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
    const project = (file: TestSpecification) =>
      PROJECTS.indexOf(indexIn(WAITING, file) < 0 ? file.project.name : 'waiting')
    const rank = (file: TestSpecification) => {
      const index = indexIn(LONGEST, file)
      return index < 0 ? LONGEST.length : index
    }
    return (await super.sort(files)).sort((a, b) => project(a) - project(b) || rank(a) - rank(b))
  }
}
