// Browsers start no workers on pages that were opened from a disk. There, a hidden frame does the
// work of a worker, so that the search of the site needs neither a server nor a network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = `<body><script>
        window.postMessage = (data) => parent.postMessage(data, "*");
        window.importScripts = (...addresses) => Promise.all(addresses.map((one) => new Promise((loaded) => {
          const script = document.createElement("script");
          Object.assign(script, { src: one, onload: loaded, async: false });
          document.body.append(script);
        })));
      </scr` + `ipt><script src="${new URL(address, location.href)}"></scr` + `ipt></body>`;
      this.ready = new Promise((loaded) => frame.addEventListener("load", loaded));
      this.send = (data) => frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      window.addEventListener("message", (event) => {
        if (event.source !== frame.contentWindow) return;
        const answer = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(answer);
        if (this.onmessage) this.onmessage(answer);
      });
      document.body.append(frame);
    }

    postMessage(data) {
      this.ready.then(() => this.send(data));
    }

    terminate() {}
  };
}
