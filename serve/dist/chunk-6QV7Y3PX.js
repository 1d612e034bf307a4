import{g as m}from"./chunk-GBRXLQIY.js";import{j as e}from"./chunk-EBQGAHOD.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
