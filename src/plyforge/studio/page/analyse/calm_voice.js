// Says the best move aloud: when it is another one, and not too often; and at the end.

const CALM = 6000; // milliseconds between two things that are said

export class CalmVoice {
  constructor(say) {
    this.say = say;
    this.last = { at: 0, text: "" };
  }

  /** A message about the search, and whether it is the last one. */
  hear(message, ended) {
    if (!message.value) return;
    const text = message.best ? `Best: ${message.best}, ${message.value.words}` : message.value.words;
    const news = ended || message.best !== this.last.best || message.value.proven !== this.last.proven;
    if (text === this.last.text || !news || (!ended && Date.now() - this.last.at < CALM)) return;
    this.last = { at: Date.now(), text, best: message.best, proven: message.value.proven };
    this.say(text);
  }
}
