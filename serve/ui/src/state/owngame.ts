import { link } from '../engine/net'
import { Game } from './game'

let game: Game | null = null

/** theGame is the game that a person plays in Play; it lives as long as the page. */
export function theGame(): Game {
  game ??= new Game(link)
  return game
}
