import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { PlacaListada } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../session/use-empresa.ts'
import { CardAlarm } from '../../ui/card.tsx'
import { CardIcon } from '../../ui/card-buttons.tsx'
import classes from './placas.module.css'
import { useValidity } from './use-validity.ts'

interface PlacaCellsProps {
  readonly placa: PlacaListada
  readonly showEmpresa: boolean
  /** null: this login may not change lists. */
  readonly onTask: ((task: 'edit' | 'remove') => void) | null
}

/** Cells of one listed plate. */
export function PlacaCells({ placa: listed, showEmpresa, onTask }: PlacaCellsProps) {
  const { t } = useTranslation()
  const { nome: empresa } = useEmpresa(listed.empresa_id)
  const validity = useValidity(listed)
  const { placa, lista, nota, dono, vencida } = listed
  return (
    <>
      <th scope="row" className={classes.plateCell} translate="no">
        {placa}
      </th>
      <td>
        <span className={classes.tag} data-situacao={lista}>
          {t(`placas.situacao.${lista}`)}
        </span>
      </td>
      <td className={classes.words} title={dono ?? undefined}>
        {dono}
      </td>
      <td className={classes.words} title={nota ?? undefined}>
        {nota}
      </td>
      {showEmpresa && <td>{empresa}</td>}
      <td>{vencida ? <CardAlarm>{validity}</CardAlarm> : validity}</td>
      <td>
        {onTask !== null && (
          <>
            <CardIcon
              icon={IconPencil}
              label={t('placas.listas.mudarRotulo', { placa })}
              title={t('placas.listas.mudar')}
              onClick={() => onTask('edit')}
            />
            <CardIcon
              icon={IconTrash}
              label={t('placas.listas.tirarRotulo', { placa })}
              title={t('placas.listas.tirar')}
              onClick={() => onTask('remove')}
            />
          </>
        )}
      </td>
    </>
  )
}
