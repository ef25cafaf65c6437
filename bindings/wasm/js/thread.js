// The script of a Worker in a browser; worker.js starts it.

import * as library from './index.js';
import { answering } from './answers.js';

const answer = answering(library, (message, memory) => self.postMessage(message, memory));
self.addEventListener('message', ({ data }) => answer(data));
