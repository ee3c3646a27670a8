import { Button } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { InviteDialog } from './invite-dialog.tsx'

interface PeoplePageProps {
  readonly title: string
  readonly help: string
  /** Buttons to other pages. */
  readonly links: ReactNode
  readonly children: ReactNode
}

/** A page about logins, for administrators, who invite on it. */
export function PeoplePage({ title, help, links, children }: PeoplePageProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [inviting, setInviting] = useState(false)
  usePageTitle(title)
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('pessoas.so')} />
  return (
    <>
      <PageHead>
        <h1>{title}</h1>
        <Soft>{help}</Soft>
        <PageActions>
          {links}
          <Button leftSection={<IconPlus size={18} />} onClick={() => setInviting(true)}>
            {t('pessoas.convidar')}
          </Button>
        </PageActions>
      </PageHead>
      {children}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}
