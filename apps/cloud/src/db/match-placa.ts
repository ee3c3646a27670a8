import { type ModoBConfig, modoBConfigSchema } from '@vigia/contracts/cameras'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { Database } from './open.ts'

/** Mode B by camera; a camera without it is absent. */
export async function readConfigs(tx: Database, cameraIds: readonly number[]): Promise<Map<number, ModoBConfig>> {
  if (cameraIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('cameras')
    .select(['id', 'modo_b_config_json'])
    .where('id', 'in', cameraIds)
    .execute()
  return new Map(
    rows.flatMap(({ id, modo_b_config_json }): [number, ModoBConfig][] => {
      const config = modoBConfigSchema.safeParse(JSON.parse(modo_b_config_json ?? 'null'))
      return config.success ? [[id, config.data]] : []
    }),
  )
}

/** The entry of a list, as an event repeats it. A field that the entry lacks is absent. */
export interface ListedPlate {
  readonly dono?: string
  readonly nota?: string
}

/** By the lists of the Empresa and of the camera; a block in either counts. Expired entries do not count. */
export async function matchPlate(
  tx: Database,
  empresaId: number,
  placa: string | null,
  config: ModoBConfig | null,
  now: number,
): Promise<{ readonly situacao: SituacaoPlaca | null; readonly cadastro: ListedPlate }> {
  if (placa === null) return { situacao: null, cadastro: {} }
  const listed = await tx
    .selectFrom('placas')
    .select(['lista', 'dono', 'nota'])
    .where('empresa_id', '=', empresaId)
    .where('placa', '=', placa)
    .where((eb) => eb.or([eb('validade', 'is', null), eb('validade', '>', now)]))
    .executeTakeFirst()
  const cadastro = { ...(listed?.dono && { dono: listed.dono }), ...(listed?.nota && { nota: listed.nota }) }
  const isIn = (lista: 'bloqueada' | 'permitida') => listed?.lista === lista || config?.[`${lista}s`].includes(placa)
  const situacao = isIn('bloqueada') ? 'bloqueada' : isIn('permitida') ? 'permitida' : 'desconhecida'
  return { situacao, cadastro }
}
