import type { Api } from '@vigia/testing/api'
import { lacksNotifications } from '@vigia/testing/browser'
import type { RecorderProcess } from '@vigia/testing/simulator'
import type { Page } from 'playwright-core'

/** Password of every login that a journey creates. */
export const PASSWORD = 'frase-de-uma-jornada'

/** A login with a session. */
export interface Login {
  readonly username: string
  readonly api: Api
}

/** An Empresa of one run of a journey, with an `administrador` of it. */
export interface Account {
  readonly empresaId: number
  /** Contains markup: the page must show it as text. */
  readonly nome: string
  readonly admin: Login
}

/** Everything that a journey uses. */
export interface Stage {
  readonly page: Page
  /** Address of the cloud. */
  readonly base: string
  readonly operator: Login
  readonly recorder: RecorderProcess
  /** Port of the recorder's ONVIF service. Its channels move. */
  readonly onvifPorta: number
  /** Whether the navigation of the page is at the bottom of the screen. */
  readonly narrow: boolean
  /** Returns `text` with a number that no other run has. */
  unique(text: string): string
  /** Creates an Empresa with a hostile name and an `administrador`. */
  account(): Promise<Account>
  /** Creates another login of that Empresa. */
  login(account: Account, papel: string): Promise<Login>
  /** Resolves with an Empresa that has a camera and a confirmed alert. All runs share it. */
  withAlerta(): Promise<Account>
  /** Resolves with an Empresa that has a passage of a vehicle that entered. All runs share it. */
  withPassagem(): Promise<Account>
  /** Sets the session of that login in the browser, without the login page, and opens the first page. */
  enter(login: Login): Promise<void>
  /** Opens a page through the navigation, by the text of its link. */
  navigate(link: string): Promise<void>
  /**
   * Runs `action`, and then checks the page: axe, console, Content-Security-Policy, hostile names, requests to other
   * hosts, and content wider than the screen.
   */
  step(what: string, action: () => Promise<unknown>): Promise<void>
}

/** The reason why the browser of this machine cannot run a journey; null: none. */
export const lackedBy = ({ notifications }: Journey): string | null => (notifications ? lacksNotifications : null)

export interface Journey {
  readonly name: string
  /** Lines of the console that this journey causes on purpose, such as a refused password. */
  readonly expected?: readonly RegExp[]
  /** Whether its browser must be able to show notifications. */
  readonly notifications?: true
  run(stage: Stage): Promise<void>
}
