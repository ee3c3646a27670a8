import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { mustEnrol } from '../conta/must-enrol.ts'
import { LiveProvider, useLive } from '../live/live-provider.tsx'
import { LateVerification } from '../pendencias/late-verification.tsx'
import { SessionLimit } from '../sessao/session-limit.tsx'
import { Announcer } from './announcer.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'
import { Demonstration } from './demonstration.tsx'
import { EnrolFrame } from './enrol-frame.tsx'
import { Header } from './header.tsx'
import classes from './painel.module.css'
import { ServerWarnings } from './server-warnings.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { useStays } from './use-stays.ts'
import { useWide } from './use-wide.ts'

/**
 * Duration of a lost connection before the page shows a notice, which moves its content. The state in the header
 * changes immediately.
 */
const LOST_MS = 3000

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
  const { state } = useLive()
  const lost = useStays(state === 'reconectando', LOST_MS)
  const wide = useWide()
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#conteudo">
        {t('painel.pular')}
      </a>
      <Header />
      {wide ? <SideNavigation /> : <BottomNavigation />}
      <main id="conteudo" className={classes.main} tabIndex={-1}>
        {lost && (
          <p className={classes.warning} role="status">
            {t('painel.semFluxo')}
          </p>
        )}
        <SessionLimit />
        <ServerWarnings />
        <LateVerification />
        <Demonstration />
        <Outlet />
      </main>
    </div>
  )
}
