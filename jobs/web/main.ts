/** The page on which tables are looked into. */
import { chooseSource } from './choose-source.js';

const { source } = await chooseSource(location.href);
const list = document.createElement('ul');
for (const game of await source.games()) {
  const item = document.createElement('li');
  item.textContent = `${game.name}: ${game.metrics.join(', ')}`;
  list.append(item);
}
document.body.append(list);
