import { VigiaError } from '@vigia/contracts/errors'
import { MAX_CLIPE_BYTES } from '@vigia/contracts/extras'
import { type ClipeRow, copyPath } from '../../../../db/clipes.ts'
import { type CopyDeps, NO_VIDEO } from './copy-clips.ts'
import { enqueueCopy } from './store.ts'

/** Recordings of a recorder that complete an event may be longer. */
const MOST_MS = 300_000
/** An encoder may be installed, and a busy server may be idle, after this time. */
const RETRY_MS = 600_000

const DOWNLOAD = 'Baixe o arquivo e abra em outro programa.'
const failures = {
  sem_codificador: `O servidor não tem codificador H.264 para fazer a cópia deste clipe. ${DOWNLOAD}`,
  falhou: `O servidor não conseguiu fazer a cópia deste clipe. ${DOWNLOAD}`,
} as const

interface Requests extends Omit<CopyDeps, 'copier' | 'log'> {
  readonly copier: Pick<CopyDeps['copier'], 'isReady'>
  readonly wake: () => void
}

/**
 * The file of the H.264 copy; null: it is being made.
 * @throws VigiaError `conflito` with the reason if there can be none. `indisponivel` if the disk is full, or if it
 * waits for the package that decodes video
 */
export async function requestCopy({ db, media, clock, disk, space, copier, wake }: Requests, clipe: ClipeRow) {
  const caminho = copyPath(clipe.caminho)
  const tamanho = clipe.copia_sha256 === null ? null : await media.size(caminho)
  if (clipe.copia_sha256 !== null && tamanho !== null) return { caminho, tamanho, sha256: clipe.copia_sha256 }
  const now = clock.now()
  if (clipe.duracao_ms > MOST_MS || clipe.tamanho > MAX_CLIPE_BYTES)
    throw new VigiaError('conflito', { detalhe: `Este clipe é grande demais para uma cópia em H.264. ${DOWNLOAD}` })
  if (clipe.copia_falha !== null && now - (clipe.copia_em ?? 0) < RETRY_MS)
    throw new VigiaError('conflito', { detalhe: failures[clipe.copia_falha] })
  if (!disk.hasSpace())
    throw new VigiaError('indisponivel', {
      detalhe: 'O disco do servidor está cheio. Libere espaço e abra o clipe outra vez.',
      tentarEmS: 60,
    })
  // A copy has about the size of its clip.
  const waiting = await space.waiting(new Map([[clipe.empresa_id, clipe.tamanho]]), 'copia')
  if (waiting.size > 0)
    throw new VigiaError('indisponivel', {
      detalhe: 'A conta não tem espaço para a cópia deste clipe. Libere espaço ou baixe o arquivo.',
      tentarEmS: 60,
    })
  await enqueueCopy(db, clipe, now)
  if (!copier.isReady()) throw new VigiaError('indisponivel', { detalhe: `${NO_VIDEO} ${DOWNLOAD}`, tentarEmS: 60 })
  wake()
  return null
}
