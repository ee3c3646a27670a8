import {
  age,
  type DataEntry,
  goesWith,
  machine,
  not,
  owner,
  part,
  period,
  person,
  size,
} from '../../db/data-register/entry.ts'
import type { mediaFolders } from '../../db/named-files.ts'

type Folder = `media/${(typeof mediaFolders)[number]}`

/** Data outside the tables of the cloud. A new folder of the media store does not compile without an entry. */
export const otherData = {
  'media/eventos': { ...part('crops and frames', 'eventos'), masks: true },
  'media/dataset': {
    ...part('copies of reviewed crops and of corrected plates', 'eventos'),
    ends: [owner('eventos'), owner('passagens')],
    masks: true,
    readers: 'administrador',
  },
  'media/evidencias': { ...part('later pictures of events', 'evidencias'), masks: true },
  'media/clipes': { ...part('clips, strips, copies, recordings', 'clipes'), masks: true },
  'media/descartados': { ...part('small pictures', 'descartados'), masks: true, held: false },
  'media/passagens': { ...part('pictures of vehicles and plates', 'passagens'), masks: true, readers: 'placas' },
  limites_de_uso: {
    ...machine(period('the window of its limit')),
    personal: 'address or login of counted requests; on SQLite in `limites.db`',
  },
  percurso: {
    ...part('journey of a plate: read from `passagens` at each request, stored nowhere', 'passagens'),
    readers: 'placas',
  },
  'export files': {
    ...machine(person),
    personal: 'copies of all that was exported',
    readers: 'administrador',
    login: 'none',
    period: not('sent, and not stored here'),
    plate: not('sent, and not stored here'),
    export: not('sent, and not stored here'),
  },
  backups: {
    ...machine(person),
    personal: 'all that the cloud held at their time',
    readers: 'operador',
    shortens: 'operador',
    period: not('delete the backup'),
    plate: not('delete the backup'),
    export: not('a copy of the cloud'),
  },
  'edge: outbox': {
    ...machine(period('when the cloud confirms'), size('quota of the disk')),
    personal: 'events that wait for the link',
    masks: true,
    export: not('not in the cloud yet'),
    period: not('new at their arrival: count again'),
    plate: not('new at their arrival: count again'),
  },
  'edge: clips': {
    ...machine(period('48 hours'), size('quota of the disk')),
    personal: 'video of persons',
    masks: true,
    period: goesWith('clipes'),
    plate: goesWith('clipes'),
    export: goesWith('clipes'),
  },
  'edge: continuous recordings': {
    ...machine(size('budget of the disk')),
    personal: 'video of persons',
    masks: true,
    export: not('fetched on the page of the camera'),
    period: goesWith('gravacoes'),
    plate: not('a video does not say which plates it shows'),
    readers: 'every papel',
    shortens: 'administrador',
  },
  logs: {
    ...machine(size('rotation'), age('auditoria')),
    personal: 'addresses of requests',
    readers: 'operador',
    shortens: 'operador',
    ends: [size('rotation')],
    export: not('no recordings'),
    period: not('no recordings'),
    plate: not('no plates are logged'),
  },
} as const satisfies Record<Folder, DataEntry> & Record<string, DataEntry>

/** Tables that exist on PostgreSQL only, outside `Tables`. */
export const postgresTables = ['limites_de_uso'] as const satisfies (keyof typeof otherData)[]
