// The web socket: requests with their answers, news, and coming back when the connection is lost.

const FIRST_WAIT = 400, LONGEST_WAIT = 8000; // milliseconds before trying again

export class Link {
  /** `onstate` is told "open", "lost" (trying again; with what the server gave as the reason) or "shut" (the studio does not know this page any more).
   *  @param {(state: "open" | "lost" | "shut", reason?: string) => void} onstate */
  constructor(onstate) {
    this.onstate = onstate;
    this.number = 0;
    this.waiting = new Map();   // requests without an answer, by number
    this.listeners = new Map(); // callbacks by kind of news
    this.unsent = [];           // asked for before the server has said welcome
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    this.welcomed = false;
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.news === "welcome") {
        this.welcomed = true;
        this.wait = FIRST_WAIT;
        for (const frame of this.unsent.splice(0)) socket.send(frame);
        this.onstate("open");
      }
      this.take(message);
    };
    socket.onclose = (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error("The connection to the studio was lost."));
      this.waiting.clear();
      this.unsent.length = 0;
      this.onstate("lost", event.reason);
      if (!this.welcomed) this.ask_why();
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** A socket that is refused does not say why; a request does: 401 is a studio that was started anew, with a new key. */
  async ask_why() {
    try {
      const answer = await fetch("/page/favicon.svg", { cache: "no-store" });
      if (answer.status === 401 || answer.status === 403) this.onstate("shut");
    } catch { /* nobody there: trying again */ }
  }

  /** Try again now. */
  retry() {
    if (this.socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.open();
  }

  take(message) {
    if ("news" in message) {
      for (const callback of [...(this.listeners.get(message.news) ?? [])]) callback(message);
      return;
    }
    const request = this.waiting.get(message.re);
    if (!request) return;
    this.waiting.delete(message.re);
    if ("error" in message) request.reject(Object.assign(new Error(message.error), message));
    else request.resolve(message);
  }

  /** ask("play.move", { action: "d3" }): a promise of the answer; rejected with what is wrong, in words.
   *  @param {string} what  @param {Record<string, unknown>} [fields]  @returns {Promise<any>} */
  ask(what, fields = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.number;
      const frame = JSON.stringify({ ...fields, id, do: what });
      if (new Blob([frame]).size > 65536) {
        reject(new Error("That is too large to send: at most 64 KiB."));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      if (this.socket.readyState > WebSocket.OPEN) {
        this.waiting.delete(id);
        reject(new Error("The studio is not connected."));
      } else if (this.welcomed) this.socket.send(frame);
      else this.unsent.push(frame); // behind what was asked before
    });
  }

  /** Call `callback` with every piece of news of a kind; gives a function that ends it.
   *  @param {string} kind  @param {(message: any) => void} callback  @returns {() => void} */
  on(kind, callback) {
    if (!this.listeners.has(kind)) this.listeners.set(kind, new Set());
    this.listeners.get(kind).add(callback);
    return () => this.listeners.get(kind).delete(callback);
  }
}
