import { ia, type NomeIa } from '@vigia/contracts/ias'
import {
  type CameraInstalacao,
  type Instalacao,
  MAX_CAMERAS_INSTALACAO,
  type PassoInstalacao,
  type ZonaInstalacao,
} from '@vigia/contracts/instalacao'
import type { Clock } from '../../../adapters/clock.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, notFound, requireScope } from '../../../http/caller.ts'
import { countServing } from '../edges/count-serving.ts'
import { camerasWithProva, countGravadores, type InstalledCamera } from './store.ts'

/**
 * The state of an installation, derived from what exists: only the choice of the whole picture is stored for it.
 * @throws VigiaError `nao_encontrado`
 */
export async function viewInstalacao(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  empresaId: number,
): Promise<Instalacao> {
  requireScope(caller, empresaId)
  if (!(await findEmpresa(db, empresaId))) throw notFound('Empresa não encontrada.')
  const rows = await camerasWithProva(db, empresaId, MAX_CAMERAS_INSTALACAO + 1)
  const cameras = rows.slice(0, MAX_CAMERAS_INSTALACAO).map(viewCameraInstalacao)
  const gravadores = await countGravadores(db, empresaId)
  const done = (passo: PassoInstalacao, feitas: number, total: number) => ({
    passo,
    feito: total > 0 && feitas === total,
    feitas,
    total,
  })
  const ofCameras = (passo: PassoInstalacao, has: (camera: CameraInstalacao) => boolean) =>
    done(passo, cameras.filter(has).length, cameras.length)
  const { feitas, total } = await countServing(db, empresaId, clock.now())
  const passos = [
    done('caixa', feitas, total),
    // A site with cameras of the network alone has no gravador.
    { ...done('gravador', gravadores, gravadores), feito: gravadores > 0 || cameras.length > 0 },
    ofCameras('canais', ({ imagem }) => imagem),
    ofCameras('ias', ({ ias }) => ias),
    ofCameras('zonas', ({ zona }) => zona !== 'falta'),
    ofCameras('prova', ({ prova }) => prova?.aprovada === true),
  ]
  const passo = passos.find(({ feito }) => !feito)?.passo
  const camera_id = cameras.find((camera) => missing(camera).includes(passo ?? 'caixa'))?.id ?? null
  return {
    empresa_id: empresaId,
    passos,
    proximo: passo === undefined ? null : { passo, camera_id },
    cameras,
    completo: rows.length <= MAX_CAMERAS_INSTALACAO,
  }
}

function viewCameraInstalacao(row: InstalledCamera): CameraInstalacao {
  const { aprovada, fim, feita_por, desfecho } = row
  const camera = {
    id: row.id,
    nome: row.nome,
    imagem: row.ultimo_frame_em !== null,
    ias: row.eventos_habilitados_json !== '[]',
    zona: zonaOf(row),
    prova:
      fim === null
        ? null
        : { aprovada: aprovada === 1, fim: new Date(fim).toISOString(), feita_por: feita_por ?? '', desfecho },
  }
  return { ...camera, falta: missing(camera)[0] ?? null }
}

/** The steps that a camera lacks, in their order. */
function missing({ imagem, ias, zona, prova }: Omit<CameraInstalacao, 'falta'>): PassoInstalacao[] {
  const steps = { canais: imagem, ias, zonas: zona !== 'falta', prova: prova?.aprovada === true }
  return (Object.keys(steps) as (keyof typeof steps)[]).filter((passo) => !steps[passo])
}

function zonaOf({ eventos_habilitados_json, zonas_json, linha_json, imagem_inteira }: InstalledCamera): ZonaInstalacao {
  const used = new Set((JSON.parse(eventos_habilitados_json) as NomeIa[]).map((nome) => ia(nome).geometria))
  const hasZona = zonas_json !== '[]'
  const hasLinha = linha_json !== '[]'
  if (used.has('linha') && !hasLinha) return 'falta'
  if (hasZona || (hasLinha && !used.has('zona'))) return 'desenhada'
  if (imagem_inteira === 1) return 'imagem_inteira'
  return used.size > 0 && !used.has('zona') ? 'dispensada' : 'falta'
}
