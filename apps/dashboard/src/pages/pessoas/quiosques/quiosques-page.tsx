import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceDesktopOff, IconLock, IconPower } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Quiosque } from '@vigia/contracts/quiosques'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { quiosquesQuery } from '../../../api/people-queries.ts'
import { formatDay, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { useAlcanceText } from '../../../session/use-alcance-text.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Card, CardControls, CardFacts, CardName } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { StartQuiosque } from './start-quiosque.tsx'

/** Screens in kiosk mode, for administrators. */
export function QuiosquesPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [starting, setStarting] = useState(false)
  usePageTitle(t('quiosques.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('quiosques.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('quiosques.titulo')}</h1>
        <Soft>{t('quiosques.ajuda')}</Soft>
        <PageActions>
          <Button leftSection={<IconDeviceDesktop size={18} />} onClick={() => setStarting(true)}>
            {t('quiosques.criar')}
          </Button>
        </PageActions>
      </PageHead>
      <Quiosques />
      {starting && <StartQuiosque onClose={() => setStarting(false)} />}
    </>
  )
}

function Quiosques() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Quiosque | null>(null)
  const query = useQuery(quiosquesQuery(api, empresa ?? null))
  const none = (
    <Notice
      icon={<IconDeviceDesktopOff size={32} />}
      title={t('quiosques.vazio.titulo')}
      text={t('quiosques.vazio.texto')}
    />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <CardGrid aria-label={t('quiosques.lista')}>
            {data.map((quiosque) => (
              <li key={quiosque.id}>
                <QuiosqueCard quiosque={quiosque} onRemove={() => setLeaving(quiosque)} />
              </li>
            ))}
          </CardGrid>
          {leaving && <RemoveQuiosque quiosque={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}

function QuiosqueCard({ quiosque, onRemove }: { readonly quiosque: Quiosque; readonly onRemove: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome, papel, empresa_id, criado_por, criado_em, visto_em, expira_em } = quiosque
  const alcanceText = useAlcanceText()
  const { fuso } = useEmpresa(empresa_id)
  return (
    <Card aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi>
      </CardName>
      <p>{[t(`quiosques.papel.${papel}`), alcanceText(quiosque)].join(' · ')}</p>
      <CardFacts>
        {visto_em === null
          ? t('quiosques.nuncaVisto')
          : t('quiosques.visto', { quando: formatWhen(visto_em, now, fuso) })}
        {' · '}
        {t('quiosques.ate', { quando: formatDay(expira_em, now, fuso) })}
      </CardFacts>
      <CardFacts>{t('quiosques.por', { nome: criado_por, quando: formatWhen(criado_em, now, fuso) })}</CardFacts>
      <CardControls>
        <CardButton icon={IconPower} label={t('quiosques.encerrarRotulo', { nome })} onClick={onRemove}>
          {t('quiosques.encerrar')}
        </CardButton>
      </CardControls>
    </Card>
  )
}

function RemoveQuiosque({ quiosque, onClose }: { readonly quiosque: Quiosque; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const { id, nome } = quiosque
  return (
    <ConfirmRemoval
      title={t('quiosques.remocao.titulo')}
      submit={t('quiosques.remocao.confirmar')}
      path={`/quiosques/${id}`}
      announcement={t('quiosques.anuncio.encerrado', { nome })}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['quiosques'] })}
      onClose={onClose}
    >
      <p>{t('quiosques.remocao.texto', { nome })}</p>
    </ConfirmRemoval>
  )
}
