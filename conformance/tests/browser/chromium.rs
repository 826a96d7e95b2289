//! One headless Chromium, driven over the pipe of its DevTools protocol.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long it has for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page open. It ends with the value.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// What pages have complained of since that was last asked for: exceptions, what could not be loaded, what came over a network.
    complaints: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts it.
    pub fn start() -> Result<Self, String> {
        let profile = TempDir::new().map_err(|error| error.to_string())?;
        // The protocol is spoken over descriptors 3 and 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "chromium"])
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("sh: {error}"))?;
        let to = process.stdin.take().expect("it is piped");
        let messages = BufReader::new(process.stdout.take().expect("it is piped")).split(0);
        let (sender, from) = mpsc::channel();
        std::thread::spawn(move || {
            let messages = messages.map_while(Result::ok).filter_map(|message| serde_json::from_slice(&message).ok());
            messages.map_while(|message| sender.send(message).ok()).for_each(drop);
        });
        let mut browser = Self { process, to, from, session: None, sent: 0, complaints: Vec::new(), _profile: profile };
        let page = browser.call("Target.createTarget", json!({ "url": "about:blank" })).map_err(|problem| {
            format!("{problem}: is chromium installed? .ci/setup installs it, on Debian `apt-get install chromium`")
        })?;
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    /// What a command of the protocol comes to.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let id = self.sent;
        let sent = self.to.write_all(format!("{message}\0").as_bytes()).and_then(|()| self.to.flush());
        sent.map_err(|error| format!("{method}: {error}"))?;
        let answer = self.wait(method, |message| message["id"] == id)?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Waits for a message, and notes what pages complain of meanwhile.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message =
                self.from.recv_timeout(left).map_err(|error| format!("{what}: the browser is silent: {error}"))?;
            self.complaints.extend(complaint(&message));
            if wanted(&message) {
                return Ok(message);
            }
        }
    }

    /// Shows a page, and waits until it is there with all that it loads.
    pub fn open(&mut self, url: &str) -> Result<(), String> {
        // A place on the page that is shown already would not load anything.
        self.call("Page.navigate", json!({ "url": "about:blank" }))?;
        self.wait("about:blank", |message| message["method"] == "Page.loadEventFired")?;
        let answer = self.call("Page.navigate", json!({ "url": url }))?;
        if let Some(error) = answer["errorText"].as_str() {
            return Err(format!("{url}: {error}"));
        }
        self.wait(url, |message| message["method"] == "Page.loadEventFired").map(drop)
    }

    /// What an expression comes to on the page that is shown.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", asked)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true on the page that is shown, which may be another by then.
    pub fn until(&mut self, expression: &str) -> Result<(), String> {
        let until = Instant::now() + PATIENCE;
        while self.evaluate(expression).ok() != Some(json!(true)) {
            if Instant::now() > until {
                return Err(format!("{} never came to: {expression}", self.evaluate("location.href")?));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Has the pages shown to a reader whose system is dark or not, on a screen of that size.
    pub fn reader(&mut self, dark: bool, (width, height): (u32, u32)) -> Result<(), String> {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }))?;
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", screen).map(drop)
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) -> Result<(), String> {
        let mut event = json!({ "type": "keyDown", "key": key });
        match key {
            "Enter" => event["text"] = json!("\r"),
            one if one.chars().count() == 1 => event["text"] = json!(one),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", event)?;
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key })).map(drop)
    }

    /// Types a text.
    pub fn write(&mut self, text: &str) -> Result<(), String> {
        self.call("Input.insertText", json!({ "text": text })).map(drop)
    }

    /// Clicks in the middle of what a selector finds first.
    pub fn click(&mut self, selector: &str) -> Result<(), String> {
        let place = self.evaluate(&format!(
            "(() => {{ const found = document.querySelector({}); found.scrollIntoView({{ block: 'center' }}); \
             const box = found.getClientRects()[0]; return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Leaves a picture of what is shown.
    pub fn picture(&mut self, path: &Path) -> Result<(), String> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        let picture = answer["data"].as_str().and_then(|text| BASE64_STANDARD.decode(text).ok());
        let picture = picture.ok_or_else(|| format!("{}: no picture came", path.display()))?;
        std::fs::write(path, picture).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What pages have complained of since this was last asked.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends its own children when it is asked to; only where it does not answer it is killed.
        self.session = None;
        if self.call("Browser.close", json!({})).is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// What of a message is a complaint of a page.
fn complaint(message: &Value) -> Option<String> {
    let params = &message["params"];
    match message["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(format!("exception: {}", params["exceptionDetails"])),
        "Log.entryAdded" if params["entry"]["level"] == "error" => Some(format!("error: {}", params["entry"]["text"])),
        "Network.loadingFailed" => Some(format!("not loaded: {}", params["errorText"])),
        "Network.requestWillBeSent" => {
            let url = params["request"]["url"].as_str()?;
            let local = ["file:", "about:", "data:"].iter().any(|scheme| url.starts_with(scheme));
            (!local).then(|| format!("asks a network for {url}"))
        }
        _ => None,
    }
}
