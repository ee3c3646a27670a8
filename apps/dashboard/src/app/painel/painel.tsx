import { IconPlugConnectedX } from '@tabler/icons-react'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isQuiosque } from '../../session/is-quiosque.ts'
import { LiveProvider, useLive } from '../../session/live-provider.tsx'
import { mustEnrol } from '../../session/must-enrol.ts'
import { Announcer } from '../../ui/announcer.tsx'
import { useFullScreen } from '../../ui/use-full-screen.ts'
import { useWide } from '../../ui/use-wide.ts'
import { BottomNavigation } from './bottom-navigation.tsx'
import { Demonstration } from './demonstration.tsx'
import { EnrolFrame } from './enrol-frame.tsx'
import { Header } from './header.tsx'
import { LateVerification } from './late-verification.tsx'
import classes from './painel.module.css'
import { ServerWarnings } from './server-warnings.tsx'
import { SessionLimit } from './session-limit.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { SoundBlocked } from './sound-blocked.tsx'

/** The frame of every page behind the sign-in. */
export function Painel() {
  const { me } = useRouteContext({ from: '/painel' })
  return (
    <Announcer>
      {mustEnrol(me) ? (
        <EnrolFrame />
      ) : (
        <LiveProvider>
          <Frame />
        </LiveProvider>
      )}
    </Announcer>
  )
}

function Frame() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { lost } = useLive()
  const wide = useWide()
  const isFull = useFullScreen()
  const hasNavigation = !isQuiosque(me) && !isFull
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#conteudo">
        {t('painel.pular')}
      </a>
      <Header />
      {hasNavigation && (wide ? <SideNavigation /> : <BottomNavigation />)}
      <main id="conteudo" className={classes.main} tabIndex={-1}>
        {lost && (
          <p className={classes.lost} role="alert">
            <IconPlugConnectedX size={22} aria-hidden="true" />
            {t('painel.semFluxo')}
          </p>
        )}
        <SessionLimit />
        <SoundBlocked />
        <ServerWarnings />
        <LateVerification />
        <Demonstration />
        <Outlet />
      </main>
    </div>
  )
}
