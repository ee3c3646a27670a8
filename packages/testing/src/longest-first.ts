import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS = ['native', 'app', 'pure', 'e2e-alone', 'e2e-shared']
/** The slowest files of each project. The list is fixed, because a fresh clone has no durations of an earlier run. */
const LONGEST = [
  ...['journeys.shared', 'crashes', 'dashboard', 'eval', 'bad-input', 'chaos', 'disk', 'npm-start', 'calibration'].map(
    (name) => `e2e/${name}`,
  ),
  ...['edge/src/app', 'debian/install-edge', 'dvr-simulator/src/probe', 'analysis/src/camera-pipeline'],
  ...['eventos/store', 'aovivo/aovivo', 'alertas/alertas', 'gravadores/probing', 'interface-tests/properties'],
  ...['vision/src/picture-health', 'edge/src/db/spare-db', 'vision/src/motion-weather', 'outbox/promises'],
]

/** Starts the slowest files first, so that the quick ones fill the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = (file: TestSpecification) => PROJECTS.indexOf(file.project.name)
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return index < 0 ? LONGEST.length : index
    }
    return (await super.sort(files)).sort((a, b) => project(a) - project(b) || rank(a) - rank(b))
  }
}
