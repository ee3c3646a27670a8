import type { Handlers } from '../pedidos/handle-command.ts'
import { createDiagnosisHandler } from './diagnose-recorder.ts'
import { createListHandler, type ListOptions } from './list-recordings.ts'
import { createRecorderClocks } from './recorder-clock.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import type { RecordingsOptions } from './recordings-options.ts'

type Options = Omit<RecordingsOptions & ListOptions, 'clocks'>
interface Archive extends Recordings {
  readonly handlers: Pick<Handlers, 'buscar_gravacao' | 'diagnosticar_gravador' | 'listar_gravacao'>
}

/** The archives of the recorders: lists, fetches and their diagnosis, which share the measured clocks. */
export function createArchive(options: Options): Archive {
  const clocks = createRecorderClocks(options)
  const recordings = createRecordings({ ...options, clocks })
  const listing = createListHandler({ ...options, clocks })
  const diagnosis = createDiagnosisHandler({ ...options, clocks, list: listing.listar_gravacao })
  return { ...recordings, handlers: { ...recordings.handlers, ...listing, ...diagnosis } }
}
