import { AskAgain } from "askweb/controllers/ask_again.js";
import { Composer } from "askweb/controllers/composer.js";
import { Copy } from "askweb/controllers/copy.js";
import { Drawer } from "askweb/controllers/drawer.js";
import { Menu } from "askweb/controllers/menu.js";
import { Peek } from "askweb/controllers/peek.js";
import { Reloaded } from "askweb/controllers/reloaded.js";
import { Scroller } from "askweb/controllers/scroller.js";
import { SignOut } from "askweb/controllers/sign_out.js";
import { TemplateEditor } from "askweb/controllers/template_editor.js";
import { ToolPreview } from "askweb/controllers/tool_preview.js";
import { startControllers } from "askweb/controllers.js";
import { ChatMessage } from "askweb/elements/chat_message.js";
import { ConnectionStatus } from "askweb/elements/connection_status.js";
import { ConversationList } from "askweb/elements/conversation_list.js";
import { LiveTranscript } from "askweb/elements/live_transcript.js";
import { socket } from "askweb/socket.js";

customElements.define("chat-message", ChatMessage);
customElements.define("connection-status", ConnectionStatus);
customElements.define("conversation-list", ConversationList);
customElements.define("live-transcript", LiveTranscript);

startControllers({
  "ask-again": AskAgain,
  composer: Composer,
  copy: Copy,
  drawer: Drawer,
  menu: Menu,
  peek: Peek,
  reloaded: Reloaded,
  scroller: Scroller,
  "sign-out": SignOut,
  "template-editor": TemplateEditor,
  "tool-preview": ToolPreview,
});

socket.open();
