import { Button } from '@mantine/core'
import { IconLock, IconMailOff, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Convite } from '@vigia/contracts/convites'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { convitesQuery } from '../../../api/people-queries.ts'
import { formatFull, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { InviteDialog } from '../../../domains/pessoas/convites/invite-dialog.tsx'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import card from '../../../ui/camera-card.module.css'
import page from '../../../ui/cameras-page.module.css'
import { CamerasSkeleton } from '../../../ui/cameras-skeleton.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import auditoria from '../auditoria/auditoria.module.css'

/** Pending invitations, for administrators. */
export function ConvitesPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [inviting, setInviting] = useState(false)
  usePageTitle(t('convites.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('pessoas.so')} />
  return (
    <>
      <div className={page.top}>
        <h1>{t('convites.titulo')}</h1>
        <p className={auditoria.soft}>{t('convites.ajuda')}</p>
        <div className={page.add}>
          <Button variant="default" component={Link} to="/pessoas">
            {t('convites.voltar')}
          </Button>
          <Button leftSection={<IconPlus size={18} />} onClick={() => setInviting(true)}>
            {t('pessoas.convidar')}
          </Button>
        </div>
      </div>
      <Convites />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

function Convites() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Convite | null>(null)
  const { data, error, refetch } = useQuery(convitesQuery(api, empresa ?? null))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CamerasSkeleton />
  if (data.length === 0)
    return (
      <Notice icon={<IconMailOff size={32} />} title={t('convites.vazio.titulo')} text={t('convites.vazio.texto')} />
    )
  return (
    <>
      <ul className={page.list} aria-label={t('convites.lista')}>
        {data.map((convite) => (
          <li key={convite.id}>
            <ConviteCard convite={convite} onRemove={() => setLeaving(convite)} />
          </li>
        ))}
      </ul>
      {leaving && <RemoveConvite convite={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

function ConviteCard({ convite, onRemove }: { readonly convite: Convite; readonly onRemove: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome: empresa, fuso } = useEmpresa(convite.empresa_id)
  const nome = convite.para ?? t('convites.semNome', { id: convite.id })
  return (
    <article className={card.card} aria-label={nome}>
      <h2 className={card.name}>
        <bdi>{nome}</bdi>
      </h2>
      <p>{[t(`pessoas.papel.${convite.papel}`), empresa].filter(Boolean).join(' · ')}</p>
      <p className={card.facts}>
        {t('convites.por', { nome: convite.criado_por, quando: formatWhen(convite.criado_em, now, fuso) })}
      </p>
      <p className={card.facts}>{t('convites.ate', { quando: formatFull(convite.expira_em, fuso) })}</p>
      <div className={card.controls}>
        <CardButton icon={IconTrash} label={t('convites.retirarRotulo', { nome })} onClick={onRemove}>
          {t('convites.retirar')}
        </CardButton>
      </div>
    </article>
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
