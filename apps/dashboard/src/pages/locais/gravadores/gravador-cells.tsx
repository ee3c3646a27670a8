import { IconKey, IconStethoscope, IconTrash } from '@tabler/icons-react'
import { fabricantes, GENERICO, ONVIF } from '@vigia/contracts/fabricantes'
import type { Gravador } from '@vigia/contracts/gravadores'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { CardIcon } from '../../../ui/card-buttons.tsx'

interface GravadorCellsProps {
  readonly gravador: Gravador
  readonly showEmpresa: boolean
  /** null: this login may not change recorders. */
  readonly onTask: ((task: 'edit' | 'remove' | 'diagnose') => void) | null
}

/** Cells of one gravador. */
export function GravadorCells({ gravador, showEmpresa, onTask }: GravadorCellsProps) {
  const { t } = useTranslation()
  const { nome: empresa } = useEmpresa(gravador.empresa_id)
  const { cameras, num_canais } = gravador
  const nome = shownName(gravador)
  return (
    <>
      <th scope="row" title={nome}>
        {nome}
      </th>
      {showEmpresa && <td>{empresa}</td>}
      <td>{makerOf(gravador, t)}</td>
      <td translate="no">{addressOf(gravador)}</td>
      <td>{t('gravadores.usadas', { count: cameras, canais: num_canais })}</td>
      {onTask !== null && (
        <td>
          <CardIcon
            icon={IconKey}
            label={t('gravadores.mudarRotulo', { nome })}
            title={t('gravadores.mudar')}
            onClick={() => onTask('edit')}
          />
          <CardIcon
            icon={IconStethoscope}
            label={t('gravadores.diagnostico.rotulo', { nome })}
            title={t('gravadores.diagnostico.abrir')}
            onClick={() => onTask('diagnose')}
          />
          <CardIcon
            icon={IconTrash}
            label={t('gravadores.removerRotulo', { nome })}
            title={t('gravadores.remover')}
            onClick={() => onTask('remove')}
          />
        </td>
      )}
    </>
  )
}

function makerOf({ fabricante }: Gravador, t: TFunction<'pagina'>): string {
  if (fabricante === ONVIF) return t('gravadores.onvif')
  return fabricante === GENERICO ? t('gravadores.outroFabricante') : fabricantes[fabricante].titulo
}

export const addressOf = ({ host, porta }: Gravador): string =>
  host.includes(':') ? `[${host}]:${porta}` : `${host}:${porta}`

/** A gravador without a name is known by its address. */
export const shownName = ({ nome, host }: Pick<Gravador, 'nome' | 'host'>): string => nome || host
