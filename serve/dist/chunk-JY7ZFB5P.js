import{t as m}from"./chunk-VRG6ZHLX.js";import{m as e}from"./chunk-6OLG4MIG.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
