import { Button } from '@mantine/core'
import { IconMailOff, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Convite } from '@vigia/contracts/convites'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { convitesQuery } from '../../../api/people-queries.ts'
import { formatFull, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { PeoplePage } from '../../../domains/pessoas/convites/people-page.tsx'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { useAlcanceText } from '../../../session/use-alcance-text.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Card, CardControls, CardFacts, CardName } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid } from '../../../ui/page.tsx'

/** Pending invitations, for administrators. */
export function ConvitesPage() {
  const { t } = useTranslation()
  const links = (
    <Button variant="default" component={Link} to="/pessoas">
      {t('convites.voltar')}
    </Button>
  )
  return (
    <PeoplePage title={t('convites.titulo')} help={t('convites.ajuda')} links={links}>
      <Convites />
    </PeoplePage>
  )
}

function Convites() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Convite | null>(null)
  const query = useQuery(convitesQuery(api, empresa ?? null))
  const none = (
    <Notice icon={<IconMailOff size={32} />} title={t('convites.vazio.titulo')} text={t('convites.vazio.texto')} />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <CardGrid aria-label={t('convites.lista')}>
            {data.map((convite) => (
              <li key={convite.id}>
                <ConviteCard convite={convite} onRemove={() => setLeaving(convite)} />
              </li>
            ))}
          </CardGrid>
          {leaving && <RemoveConvite convite={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}

function ConviteCard({ convite, onRemove }: { readonly convite: Convite; readonly onRemove: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const alcanceText = useAlcanceText()
  const { fuso } = useEmpresa(convite.empresa_id)
  const nome = convite.para ?? t('convites.semNome', { id: convite.id })
  return (
    <Card aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi>
      </CardName>
      <p>{[t(`pessoas.papel.${convite.papel}`), alcanceText(convite)].join(' · ')}</p>
      <CardFacts>
        {t('convites.por', { nome: convite.criado_por, quando: formatWhen(convite.criado_em, now, fuso) })}
      </CardFacts>
      <CardFacts>{t('convites.ate', { quando: formatFull(convite.expira_em, fuso) })}</CardFacts>
      <CardControls>
        <CardButton icon={IconTrash} label={t('convites.retirarRotulo', { nome })} onClick={onRemove}>
          {t('convites.retirar')}
        </CardButton>
      </CardControls>
    </Card>
  )
}

function RemoveConvite({ convite, onClose }: { readonly convite: Convite; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const nome = convite.para ?? t('convites.semNome', { id: convite.id })
  return (
    <ConfirmRemoval
      title={t('convites.retirada.titulo')}
      submit={t('convites.retirada.confirmar')}
      path={`/convites/${convite.id}`}
      announcement={t('convites.anuncio.retirado')}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['convites'] })}
      onClose={onClose}
    >
      <p>{t('convites.retirada.texto', { nome })}</p>
    </ConfirmRemoval>
  )
}
