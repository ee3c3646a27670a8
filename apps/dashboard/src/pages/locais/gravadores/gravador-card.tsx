import { IconKey, IconStethoscope, IconTrash } from '@tabler/icons-react'
import { fabricantes, GENERICO, ONVIF } from '@vigia/contracts/fabricantes'
import type { Gravador } from '@vigia/contracts/gravadores'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Card, CardControls, CardFacts, CardHead, CardName, CardSoft } from '../../../ui/card.tsx'
import { CardButton, CardIcon } from '../../../ui/card-buttons.tsx'

export interface GravadorCardProps {
  readonly gravador: Gravador
  readonly mayWrite: boolean
  readonly showEmpresa: boolean
  readonly onTask: (task: 'edit' | 'remove' | 'diagnose') => void
}

/** Card of one gravador. */
export function GravadorCard({ gravador, mayWrite, showEmpresa, onTask }: GravadorCardProps) {
  const { t } = useTranslation()
  const { nome: empresa } = useEmpresa(gravador.empresa_id)
  const { fabricante, host, porta, cameras, num_canais } = gravador
  const nome = shownName(gravador)
  const maker =
    fabricante === ONVIF
      ? t('gravadores.onvif')
      : fabricante === GENERICO
        ? t('gravadores.outroFabricante')
        : fabricantes[fabricante].titulo
  return (
    <Card aria-label={nome}>
      <CardHead>
        <CardName>{nome}</CardName>
      </CardHead>
      {showEmpresa && <CardSoft>{empresa}</CardSoft>}
      <CardFacts>
        {maker}
        <br />
        <span translate="no">{host.includes(':') ? `[${host}]:${porta}` : `${host}:${porta}`}</span>
        <br />
        {t('gravadores.usadas', { count: cameras, canais: num_canais })}
      </CardFacts>
      {mayWrite && (
        <CardControls>
          <CardButton icon={IconKey} label={t('gravadores.mudarRotulo', { nome })} onClick={() => onTask('edit')}>
            {t('gravadores.mudar')}
          </CardButton>
          <CardButton
            icon={IconStethoscope}
            label={t('gravadores.diagnostico.rotulo', { nome })}
            onClick={() => onTask('diagnose')}
          >
            {t('gravadores.diagnostico.abrir')}
          </CardButton>
          <CardIcon
            atEnd
            icon={IconTrash}
            label={t('gravadores.removerRotulo', { nome })}
            title={t('gravadores.remover')}
            onClick={() => onTask('remove')}
          />
        </CardControls>
      )}
    </Card>
  )
}

/** A gravador without a name is known by its address. */
export const shownName = ({ nome, host }: Pick<Gravador, 'nome' | 'host'>): string => nome || host
